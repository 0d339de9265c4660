/**
 * The table of commands. Only the module of the command that is called gets loaded.
 *
 * @module
 */

import type { CommandEntry } from "../cli/command.ts";

/** All commands, in the order and under the headings of the overview. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "demo",
    summary: "Watch two scripted agents clear up a question",
    group: "Start",
    load: () => import("./demo/demo.ts"),
  },
  {
    name: "init",
    summary: "Make a workspace here; what exists stays as it is",
    group: "Start",
    load: () => import("./program/init.ts"),
  },
  {
    name: "clarify",
    summary: "List active clarifications, or show the threads of an issue",
    group: "Clarifications",
    load: () => import("./clarify/list.ts"),
  },
  {
    name: "clarify ask",
    summary: "Ask another agent, or ask again in a clarification",
    load: () => import("./clarify/ask.ts"),
  },
  {
    name: "clarify answer",
    summary: "Answer a clarification, as its target or as a person",
    load: () => import("./clarify/answer.ts"),
  },
  {
    name: "clarify resolve",
    summary: "End a clarification; an escalated one takes a person",
    load: () => import("./clarify/resolve.ts"),
  },
  {
    name: "clarify escalate",
    summary: "Hand a clarification to a person",
    load: () => import("./clarify/escalate.ts"),
  },
  {
    name: "clarify wait",
    summary: "Wait until a clarification is answered",
    load: () => import("./clarify/wait.ts"),
  },
  {
    name: "clarify retry",
    summary: "Run the target of an open question once more",
    load: () => import("./clarify/retry.ts"),
  },
  {
    name: "clarify stale",
    summary: "List clarifications that are overdue or go in circles",
    load: () => import("./clarify/stale.ts"),
  },
  {
    name: "clarify watch",
    summary: "Show what happens to clarifications, until Ctrl-C",
    load: () => import("./clarify/watch.ts"),
  },
  {
    name: "clarify graph",
    summary: "Show who waits for whom, and who in a circle",
    load: () => import("./clarify/graph.ts"),
  },
  {
    name: "clarify stats",
    summary: "Sum clarifications up: outcomes, rounds, times, topics",
    load: () => import("./clarify/stats.ts"),
  },
  {
    name: "serve",
    summary: "Run the agents of open questions, until Ctrl-C",
    group: "Clarifications",
    load: () => import("./clarify/serve.ts"),
  },
  {
    name: "state",
    summary: "Show what each agent is doing, or set it for one",
    group: "Clarifications",
    load: () => import("./clarify/state.ts"),
  },
  {
    name: "ready",
    summary: "Show which issues can be taken, or take one",
    group: "Work",
    load: () => import("./issue/ready.ts"),
  },
  {
    name: "issue",
    summary: "Make, list and change the local issues",
    group: "Work",
  },
  {
    name: "issue create",
    summary: "Make an issue under the next free number",
    load: () => import("./issue/create.ts"),
  },
  {
    name: "issue list",
    summary: "List the open issues, or those that fit",
    load: () => import("./issue/list.ts"),
  },
  {
    name: "issue get",
    summary: "Show an issue with its body and its comments",
    load: () => import("./issue/get.ts"),
  },
  {
    name: "issue update",
    summary: "Change title, body, labels or status of an issue",
    load: () => import("./issue/update.ts"),
  },
  {
    name: "issue close",
    summary: "Close an issue: its status is Done, and nobody has it",
    load: () => import("./issue/close.ts"),
  },
  {
    name: "issue comment",
    summary: "Add a comment to an issue",
    load: () => import("./issue/comment.ts"),
  },
  {
    name: "deps",
    summary: "Show what an issue waits for, and what waits for it",
    group: "Work",
    load: () => import("./issue/deps.ts"),
  },
  {
    name: "route",
    summary: "Say which agent comes first at an issue, and why",
    group: "Work",
    load: () => import("./issue/route.ts"),
  },
  {
    name: "validate",
    summary: "Say whether a role's work on an issue can be handed over",
    group: "Work",
    load: () => import("./issue/validate.ts"),
  },
  {
    name: "loop",
    summary: "Iterate on an issue until its criteria are met",
    group: "Work",
  },
  {
    name: "loop start",
    summary: "Start the iterative loop of an issue",
    load: () => import("./loop/start.ts"),
  },
  {
    name: "loop status",
    summary: "Show the loop of an issue, or all loops",
    load: () => import("./loop/status.ts"),
  },
  {
    name: "loop iterate",
    summary: "Go on to the next iteration",
    load: () => import("./loop/iterate.ts"),
  },
  {
    name: "loop complete",
    summary: "End a loop: the criteria are met",
    load: () => import("./loop/complete.ts"),
  },
  {
    name: "loop cancel",
    summary: "Give a loop up: the issue is not handed over",
    load: () => import("./loop/cancel.ts"),
  },
  {
    name: "hook",
    summary: "Note that an agent begins or ends its work",
    group: "Work",
    load: () => import("./hook/hook.ts"),
  },
  {
    name: "hook start",
    summary: "Note that an agent begins its work; print what to recall",
    load: () => import("./hook/start.ts"),
  },
  {
    name: "hook finish",
    summary: "Note that an agent ends its work; remember its session",
    load: () => import("./hook/finish.ts"),
  },
  {
    name: "digest",
    summary: "Write the digest of a week: issues, clarifications, assumptions",
    group: "Work",
    load: () => import("./issue/digest.ts"),
  },
  {
    name: "memory",
    summary: "Find and keep what sessions brought to light",
    group: "Memory",
  },
  {
    name: "memory search",
    summary: "Find what was observed, by its words or its source",
    load: () => import("./memory/search.ts"),
  },
  {
    name: "memory get",
    summary: "Show an observation whole",
    load: () => import("./memory/get.ts"),
  },
  {
    name: "memory timeline",
    summary: "Show what came before and after in the same session",
    load: () => import("./memory/timeline.ts"),
  },
  {
    name: "memory recall",
    summary: "Print what an agent should know before it begins",
    load: () => import("./memory/recall.ts"),
  },
  {
    name: "memory note",
    summary: "Remember one thing, or correct what is remembered",
    load: () => import("./memory/note.ts"),
  },
  {
    name: "memory capture",
    summary: "Remember what a recorded session brought",
    load: () => import("./memory/capture.ts"),
  },
  {
    name: "memory retract",
    summary: "Mark an observation as wrong: kept, never recalled",
    load: () => import("./memory/retract.ts"),
  },
  {
    name: "memory forget",
    summary: "Remove an observation for good; it is not captured again",
    load: () => import("./memory/forget.ts"),
  },
  {
    name: "memory stats",
    summary: "Sum up what is remembered: counts, tokens, bytes, ages",
    load: () => import("./memory/stats.ts"),
  },
  {
    name: "memory compact",
    summary: "Merge what is older than 90 days; originals are kept",
    load: () => import("./memory/compact.ts"),
  },
  {
    name: "memory export",
    summary: "Print all observations, one as JSON on each line",
    load: () => import("./memory/export.ts"),
  },
  {
    name: "memory import",
    summary: "Take in an export, or a file of the original AgentX",
    load: () => import("./memory/import.ts"),
  },
  {
    name: "memory rebuild",
    summary: "Make manifest and index anew from what was observed",
    load: () => import("./memory/rebuild.ts"),
  },
  {
    name: "doctor",
    summary: "Examine the workspace; exits 1 if something fails",
    group: "Workspace",
    load: () => import("./program/doctor.ts"),
  },
  {
    name: "workflow",
    summary: "List the workflows, or show the steps of one",
    group: "Workspace",
    load: () => import("./issue/workflow.ts"),
  },
  {
    name: "trust",
    summary: "Show what this repository would run, and agree to it",
    group: "Workspace",
    load: () => import("./config/trust.ts"),
  },
  {
    name: "config",
    summary: "Show and change the settings",
    group: "Workspace",
  },
  {
    name: "config show",
    summary: "Print all settings, with their defaults",
    load: () => import("./config/show.ts"),
  },
  {
    name: "config get",
    summary: "Print one setting",
    load: () => import("./config/get.ts"),
  },
  {
    name: "config set",
    summary: "Change one setting",
    load: () => import("./config/set.ts"),
  },
  {
    name: "config unset",
    summary: "Remove one setting, so that its default holds",
    load: () => import("./config/unset.ts"),
  },
  {
    name: "completions",
    summary: "Print the script that completes command lines in a shell",
    group: "Other",
    load: () => import("./program/completions.ts"),
  },
  {
    name: "__complete",
    summary: "Say what the last word of a command line may become",
    isHidden: true,
    load: async () => {
      const { completeCommand } = await import("./program/complete.ts");
      return { command: completeCommand(COMMANDS) };
    },
  },
  {
    name: "version",
    summary: "Print the version",
    group: "Other",
    load: () => import("./program/version.ts"),
  },
];
