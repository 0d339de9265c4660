/**
 * The table of commands: the only place that says their names and what they are for. Only the module of
 * the command that is called gets loaded.
 *
 * @module
 */

import type { Command, CommandEntry, Load } from "../cli/command.ts";

/** What a command is for, and its module; a mere group of subcommands has none. */
type Row = readonly [summary: string, load?: Load];

/** For commands that one module exports, since they share what they take or show. */
function oneOf<Name extends string>(load: () => Promise<Readonly<Record<Name, Command>>>) {
  return (name: Name): Load => async () => ({ command: (await load())[name] });
}

const clarifications = oneOf(() => import("./clarify/list.ts"));
const decide = oneOf(() => import("./clarify/decide.ts"));
const showIssue = oneOf(() => import("./issue/show.ts"));
const changeIssue = oneOf(() => import("./issue/change.ts"));
const showSetting = oneOf(() => import("./config/show.ts"));
const changeSetting = oneOf(() => import("./config/change.ts"));
const hook = oneOf(() => import("./hook/hook.ts"));
const loop = oneOf(() => import("./loop/loop.ts"));
const observation = oneOf(() => import("./memory/observation.ts"));
const memory = oneOf(() => import("./memory/upkeep.ts"));

/** Under their headings, in the order of the overview. */
const TABLE: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  Start: {
    demo: ["Watch two scripted agents clear up a question", () => import("./demo/demo.ts")],
    init: ["Create a workspace here; existing files are kept", () => import("./program/init.ts")],
  },
  Clarifications: {
    clarify: [
      "List active clarifications, or show the threads of an issue",
      clarifications("active"),
    ],
    "clarify ask": [
      "Ask another agent, or ask again in a clarification",
      () => import("./clarify/ask.ts"),
    ],
    "clarify answer": ["Answer a clarification, as its target or as a person", decide("answer")],
    "clarify resolve": ["End a clarification; an escalated one takes a person", decide("resolve")],
    "clarify escalate": ["Hand a clarification to a person", decide("escalate")],
    "clarify wait": ["Wait until a clarification is answered", () => import("./clarify/wait.ts")],
    "clarify retry": [
      "Run the target of an open question once more",
      () => import("./clarify/retry.ts"),
    ],
    "clarify stale": [
      "List clarifications that are overdue or go in circles",
      clarifications("stale"),
    ],
    "clarify watch": [
      "Show what happens to clarifications, until Ctrl-C",
      () => import("./clarify/watch.ts"),
    ],
    "clarify graph": [
      "Show who waits for whom, and who in a circle",
      () => import("./clarify/graph.ts"),
    ],
    "clarify stats": [
      "Sum clarifications up: outcomes, rounds, times, topics",
      () => import("./clarify/stats.ts"),
    ],
    serve: ["Run the agents of open questions, until Ctrl-C", () => import("./clarify/serve.ts")],
    state: ["Show what each agent is doing, or set it for one", () => import("./clarify/state.ts")],
  },
  Work: {
    ready: ["Show which issues can be taken, or take one", () => import("./issue/ready.ts")],
    issue: ["Make, list and change the local issues"],
    "issue create": ["Create an issue", changeIssue("create")],
    "issue list": ["List the open issues, or those that fit", showIssue("list")],
    "issue get": ["Show an issue with its body and its comments", showIssue("get")],
    "issue update": ["Change title, body, labels or status of an issue", changeIssue("update")],
    "issue close": ["Close an issue: its status is Done, and nobody has it", changeIssue("close")],
    "issue comment": ["Add a comment to an issue", changeIssue("addComment")],
    deps: ["Show what an issue waits for, and what waits for it", () => import("./issue/deps.ts")],
    route: ["Say which agent comes first at an issue, and why", () => import("./issue/route.ts")],
    validate: [
      "Say whether a role's work on an issue can be handed over",
      () => import("./issue/validate.ts"),
    ],
    loop: ["Iterate on an issue until its criteria are met"],
    "loop start": ["Start the iterative loop of an issue", loop("start")],
    "loop status": ["Show the loop of an issue, or all loops", loop("status")],
    "loop iterate": ["Go on to the next iteration", loop("iterate")],
    "loop complete": ["End a loop: the criteria are met", loop("complete")],
    "loop cancel": ["Give a loop up: the issue is not handed over", loop("cancel")],
    hook: ["Note that an agent begins or ends its work", hook("hook")],
    "hook start": ["Note that an agent begins its work; print what to recall", hook("start")],
    "hook finish": ["Note that an agent ends its work; remember its session", hook("finish")],
    digest: [
      "Write the digest of a week: issues, clarifications, assumptions",
      () => import("./issue/digest.ts"),
    ],
  },
  Memory: {
    memory: ["Find and keep what earlier sessions learned"],
    "memory search": [
      "Find what was observed, by its words or its source",
      () => import("./memory/search.ts"),
    ],
    "memory get": ["Show an observation whole", observation("get")],
    "memory timeline": [
      "Show what came before and after in the same session",
      observation("timeline"),
    ],
    "memory recall": [
      "Print what an agent should know before it begins",
      () => import("./memory/recall.ts"),
    ],
    "memory note": ["Remember one thing, or correct what is remembered", observation("note")],
    "memory capture": [
      "Remember what a recorded session brought",
      () => import("./memory/capture.ts"),
    ],
    "memory retract": [
      "Mark an observation as wrong: kept, never recalled",
      observation("retract"),
    ],
    "memory forget": [
      "Remove an observation for good; it is not captured again",
      observation("forget"),
    ],
    "memory stats": ["Sum up what is remembered: counts, tokens, bytes, ages", memory("stats")],
    "memory compact": ["Merge what is older than 90 days; originals are kept", memory("compact")],
    "memory export": ["Print all observations, one as JSON on each line", memory("exportAll")],
    "memory import": ["Take in an export, or a file of the original AgentX", memory("importAll")],
    "memory rebuild": [
      "Rebuild the manifest and the index from the observations",
      memory("rebuild"),
    ],
  },
  Workspace: {
    doctor: [
      "Examine the workspace; exits 1 if something fails",
      () => import("./program/doctor.ts"),
    ],
    workflow: ["List the workflows, or show the steps of one", () => import("./issue/workflow.ts")],
    trust: [
      "Show what this repository would run, and agree to it",
      () => import("./config/trust.ts"),
    ],
    config: ["Show and change the settings"],
    "config show": ["Print all settings, with their defaults", showSetting("show")],
    "config get": ["Print one setting", showSetting("get")],
    "config set": ["Change one setting", changeSetting("set")],
    "config unset": ["Remove one setting, so that its default holds", changeSetting("unset")],
  },
  Other: {
    completions: [
      "Print the script that completes command lines in a shell",
      () => import("./program/completions.ts"),
    ],
    version: ["Print the version", () => import("./program/version.ts")],
  },
};

/** All commands, in the order and under the headings of the overview. */
export const COMMANDS: readonly CommandEntry[] = [
  ...Object.entries(TABLE).flatMap(([group, rows]) =>
    Object.entries(rows).map(([name, [summary, load]]): CommandEntry => ({
      name,
      summary,
      group: name.includes(" ") ? undefined : group,
      load,
    }))
  ),
  {
    name: "__complete",
    summary: "Say what the last word of a command line may become",
    isHidden: true,
    load: async () => {
      const { completeCommand } = await import("./program/complete.ts");
      return { command: completeCommand(COMMANDS) };
    },
  },
];
