/**
 * Settings: `config.json`, the workflows, and the user's consent to what a repository runs.
 *
 * @example A workflow says which agents work on an issue, and whom they may ask
 * ```ts
 * import { parseWorkflow } from "@agentx/toolkit/config";
 * import { assertEquals } from "@std/assert";
 *
 * const text = `
 * [workflow]
 * name = "bug"
 *
 * [[steps]]
 * id = "fix"
 * agent = "engineer"
 * can_clarify = ["architect"]
 * `;
 * const { type, steps } = parseWorkflow(text, ".agentx/workflows/bug.toml");
 * assertEquals(type, "bug");
 * assertEquals(steps.map(({ agent, canClarify }) => [agent, canClarify]), [
 *   ["engineer", ["architect"]],
 * ]);
 * ```
 *
 * @module
 */

export type { AgentConfig, Config, HttpConfig } from "./config.ts";
export { RepositoryTrust } from "./trust.ts";
export type { RepositoryTrustOptions, TrustedFile, TrustPlan } from "./trust.ts";
export { parseWorkflow } from "./workflow.ts";
export type { Workflow, WorkflowStep } from "./workflow.ts";
