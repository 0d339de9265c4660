// The templates that are part of the program. Their headings come from the documents that they were made from.

import adr from "../../.agentx/templates/adr.md" with { type: "text" };
import coaching from "../../.agentx/templates/coaching.md" with { type: "text" };
import devops from "../../.agentx/templates/devops.md" with { type: "text" };
import prd from "../../.agentx/templates/prd.md" with { type: "text" };
import progress from "../../.agentx/templates/progress.md" with { type: "text" };
import review from "../../.agentx/templates/review.md" with { type: "text" };
import securityPlan from "../../.agentx/templates/security-plan.md" with { type: "text" };
import spec from "../../.agentx/templates/spec.md" with { type: "text" };
import uxPrototype from "../../.agentx/templates/ux-prototype.html" with { type: "text" };
import ux from "../../.agentx/templates/ux.md" with { type: "text" };

/** The text of each shipped template, by type. */
export const SHIPPED_TEMPLATES: Readonly<Record<string, string>> = {
  adr,
  coaching,
  devops,
  prd,
  progress,
  review,
  "security-plan": securityPlan,
  spec,
  ux,
  "ux-prototype": uxPrototype,
};
