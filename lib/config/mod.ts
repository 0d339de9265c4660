/**
 * Settings: what `config.json` and the workflows say, and the user's consent to what a repository runs.
 *
 * @module
 */

export type { AgentConfig, Config } from "./config.ts";
export { RepositoryTrust } from "./trust.ts";
export type { RepositoryTrustOptions, TrustedFile, TrustPlan } from "./trust.ts";
export { parseWorkflow } from "./workflow.ts";
export type { Workflow, WorkflowStep } from "./workflow.ts";
