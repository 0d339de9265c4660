/**
 * Work: issues, the queue of those that can be taken, routes, loops and digests.
 *
 * @example What can be taken, what has to wait, and which agent comes first
 * ```ts
 * import { initWorkspace, openWorkspace } from "@agentx/toolkit";
 * import { routeOf } from "@agentx/toolkit/work";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const { issues, ready, workflow } = await openWorkspace({ root });
 * const story = await issues.create({ title: "Pay by card", labels: ["type:story"] });
 * await issues.create({ title: "Refunds", labels: ["type:story", `blocked_by:#${story.number}`] });
 * const list = await ready.list();
 * assertEquals(list.ready.map(({ number }) => number), [1]);
 * assertEquals(list.waiting.map(({ number, reasons }) => [number, reasons[0].kind]), [
 *   [2, "dependency"],
 * ]);
 * const { first } = routeOf(story, { readWorkflow: workflow, defaultWorkflow: "feature" });
 * assertEquals(first.map(({ agent }) => agent), ["engineer"]);
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @module
 */

export { IssueStore } from "./issue/issue_store.ts";
export type { IssueScan, IssueStoreOptions } from "./issue/issue_store.ts";
export type { IssueRepair, Renumbered } from "./issue/issue_repair.ts";
export type { Issue, IssueComment, IssueUpdate, NewIssue } from "./issue/issue.ts";
export type { IssueRow } from "./issue/row.ts";
export type { Size } from "./issue/labels.ts";
export { LoopGate } from "./loop/loop_gate.ts";
export type { LoopGateOptions, LoopStepOptions } from "./loop/loop_gate.ts";
export type { LoopEntry, LoopState } from "./loop/loop_state.ts";
export { ReadyQueue } from "./queue/claim.ts";
export type { ClaimOptions, ReadyList, ReadyQueueOptions } from "./queue/claim.ts";
export type { Queue, WaitingIssue, WaitReason } from "./queue/selection.ts";
export { routeOf } from "./route/route.ts";
export type { Route, RoutedIssue, RouteStep, WorkflowSource } from "./route/route.ts";
export { validateHandOver } from "./route/validate.ts";
export type { CheckedStep, HandOver, Validation } from "./route/validate.ts";
export { DigestStore } from "./digest/digest.ts";
export type { CollectedDigest, DigestStoreOptions } from "./digest/digest.ts";
export type { IsoWeek } from "./digest/iso_week.ts";
export type { Assumption, ClosedIssue, Digest } from "./digest/schema.ts";
