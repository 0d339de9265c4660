// The agents of the documents, as files for `.github/agents/`, where the users of a repository can edit them.

import architect from "../../.github/agents/architect.agent.md" with { type: "text" };
import customerCoach from "../../.github/agents/customer-coach.agent.md" with { type: "text" };
import devopsEngineer from "../../.github/agents/devops-engineer.agent.md" with { type: "text" };
import engineer from "../../.github/agents/engineer.agent.md" with { type: "text" };
import investigator from "../../.github/agents/investigator.agent.md" with { type: "text" };
import productManager from "../../.github/agents/product-manager.agent.md" with { type: "text" };
import requirementsEngineer from "../../.github/agents/requirements-engineer.agent.md" with {
  type: "text",
};
import reviewer from "../../.github/agents/reviewer.agent.md" with { type: "text" };
import uxDesigner from "../../.github/agents/ux-designer.agent.md" with { type: "text" };

/** The text of each agent file, by role. */
export const SHIPPED_ROLES: Readonly<Record<string, string>> = {
  "product-manager": productManager,
  "ux-designer": uxDesigner,
  architect,
  engineer,
  reviewer,
  "devops-engineer": devopsEngineer,
  "customer-coach": customerCoach,
  "requirements-engineer": requirementsEngineer,
  investigator,
};
