// The table of commands: the only place with their names and summaries. Only the module of the
// command that is called gets loaded.

import type { Command, CommandEntry, Load } from "../cli/command.ts";

/** What a command is for, and its module; a mere group of subcommands has none. */
type Row = readonly [summary: string, load?: Load, takesWord?: "word"];

/** For commands that one module exports, since they share what they take or show. */
function family<Name extends string>(load: () => Promise<Readonly<Record<Name, Command>>>) {
  return (name: Name): Load => async () => ({ command: (await load())[name] });
}

const demo = () => import("./demo/demo.ts");
const init = () => import("./program/init.ts");
const setup = () => import("./program/setup.ts");
const doctor = () => import("./program/doctor.ts");
const completions = () => import("./program/completions.ts");
const agents = () => import("./agents/list.ts");
const testAgent = () => import("./agents/test.ts");
const run = () => import("./agents/run.ts");
const version = () => import("./program/version.ts");
const mcp = async () => ({ command: (await import("./program/mcp.ts")).mcpCommand(COMMANDS) });
const board = async () => ({
  command: (await import("./board/board.ts")).boardCommand(COMMANDS),
});
const log = () => import("./program/log.ts");
const complete = async () => ({
  command: (await import("./program/complete.ts")).completeCommand(COMMANDS),
});
const clarifications = family(() => import("./clarify/list.ts"));
const decide = family(() => import("./clarify/decide.ts"));
const ask = family(() => import("./clarify/ask.ts"));
const wait = () => import("./clarify/wait.ts");
const watch = () => import("./clarify/watch.ts");
const graph = () => import("./clarify/graph.ts");
const stats = () => import("./issue/stats.ts");
const runOpen = () => import("./clarify/run.ts");
const serve = () => import("./clarify/serve.ts");
const status = () => import("./program/status.ts");
const state = () => import("./clarify/state.ts");
const askUser = () => import("./gate/ask_user.ts");
const answer = () => import("./inbox/answer.ts");
const inbox = () => import("./inbox/inbox.ts");
const assumptions = family(() => import("./gate/assumptions.ts"));
const showIssue = family(() => import("./issue/show.ts"));
const issueHistory = family(() => import("./issue/history.ts"));
const moveIssues = family(() => import("./issue/import.ts"));
const commitIssues = () => import("./issue/commit.ts");
const changeIssue = family(() => import("./issue/change.ts"));
const tree = () => import("./issue/tree.ts");
const searchIssues = () => import("./issue/search.ts");
const ready = () => import("./issue/ready.ts");
const deps = () => import("./issue/deps.ts");
const route = () => import("./issue/route.ts");
const reviewChange = () => import("./issue/review.ts");
const validate = () => import("./issue/validate.ts");
const digest = () => import("./issue/digest.ts");
const workflow = () => import("./issue/workflow.ts");
const workflowRun = () => import("./issue/workflow_run.ts");
const workflowMerge = () => import("./issue/workflow_merge.ts");
const template = family(() => import("./template/template.ts"));
const loop = family(() => import("./loop/loop.ts"));
const hook = family(() => import("./hook/hook.ts"));
const hookHost = async () => ({ command: (await import("./hook/host.ts")).host });
const here = () => import("./hook/here.ts");
const observation = family(() => import("./memory/observation.ts"));
const memory = family(() => import("./memory/upkeep.ts"));
const search = () => import("./memory/search.ts");
const recall = () => import("./memory/recall.ts");
const review = () => import("./memory/review.ts");
const capture = () => import("./memory/capture.ts");
const showSetting = family(() => import("./config/show.ts"));
const changeSetting = family(() => import("./config/change.ts"));
const trust = () => import("./config/trust.ts");
const guard = () => import("./guard/guard.ts");
const scan = () => import("./guard/scan.ts");
const gitHooks = family(() => import("./guard/git_hooks.ts"));
const audit = family(() => import("./guard/audit.ts"));
const link = () => import("./config/link.ts");
const adopt = () => import("./config/adopt.ts");

/** Under their headings, in the order of the overview. */
const TABLE: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  "Set up": {
    init: ["Create a workspace here; existing files are kept", init],
    setup: ["Install agentx into coding agents, check that, or undo it", setup],
    agents: ["List the agents: how each is run, and how its last run ended", agents],
    "agents test": ["Run an agent once; show what was sent and what was read", testAgent],
    doctor: ["Check the workspace; exits 1 if something fails", doctor],
  },
  "Every day": {
    status: ["Show what runs, waits for you, waits for others, and is ready", status],
    ask: ["Ask an agent, or the human", ask("ask")],
    answer: ["Answer an agent's question, or decide what waits for you", answer],
    board: ["Open the workspace in the browser, until Ctrl-C", board],
    inbox: ["Go through what waits for you, most blocking first", inbox],
    ready: ["List the issues that can be worked on, or claim one", ready],
    issue: ["Create, list and change local issues"],
    "issue create": ["Create an issue", changeIssue("create")],
    "issue list": ["List open issues, or those that match", showIssue("list")],
    "issue view": ["Show an issue with its body and its comments", showIssue("get")],
    "issue edit": ["Change title, body, labels or status of an issue", changeIssue("update")],
    "issue close": ["Close an issue: set its status to Done and unassign it", changeIssue("close")],
    "issue comment": ["Add a comment to an issue", changeIssue("addComment")],
    "issue search": ["Search issues, their comments and their clarifications", searchIssues],
    "issue split": ["Split an issue into parts, from titles or a plan", changeIssue("split")],
    "issue check": ["Tick an acceptance criterion of an issue", changeIssue("check")],
    "issue tree": ["Show issues with their parts, and how much is done", tree],
    "issue history": ["Show who changed what of an issue, and when", issueHistory("history")],
    "issue undo": ["Undo a change of an issue, by default the latest", issueHistory("undo")],
    "issue delete": ["Delete an issue; undo brings it back", issueHistory("remove")],
    "issue import": ["Import issues of beads, Backlog.md, gh or agentx", moveIssues("importAll")],
    "issue export": ["Print all issues, one as JSON on each line", moveIssues("exportAll")],
    "issue commit": ["Commit issues and memory, and nothing else, to git", commitIssues],
    "issue deps": ["Show what an issue waits for, and what waits for it", deps],
    "issue route": ["Show which agent works on an issue first, and why", route],
    "issue validate": ["Check whether a role's work can be handed over", validate],
    memory: ["Find and keep what earlier sessions learned"],
    "memory search": ["Search observations by their words or source", search],
    "memory view": ["Show a whole observation", observation("get")],
    "memory timeline": [
      "Show what came before and after in the same session",
      observation("timeline"),
    ],
    "memory recall": ["Print what an agent should know before it starts", recall],
    "memory note": ["Remember one thing, or correct what is remembered", observation("note")],
    "memory capture": ["Remember what a recorded session learned", capture],
    "memory retract": [
      "Mark an observation as wrong: kept, never recalled",
      observation("retract"),
    ],
    "memory review": ["Keep, correct or retract what may no longer be true", review],
    "memory delete": [
      "Delete an observation for good; it is not captured again",
      observation("forget"),
    ],
    "memory stats": ["Summarize memory: counts, tokens, bytes, ages", memory("stats")],
    "memory compact": ["Archive what is older than 90 days, or bring it back", memory("compact")],
    "memory export": ["Print all observations, one as JSON on each line", memory("exportAll")],
    "memory import": ["Import an export, or a file of the original AgentX", memory("importAll")],
    "memory rebuild": ["Rebuild the index from the observations", memory("rebuild")],
  },
  "Agents at work": {
    clarify: [
      "List open questions of agents, or show the threads of an issue",
      clarifications("active"),
    ],
    "clarify run": ["Run the agents that questions or unread answers wait for", runOpen],
    "clarify resolve": [
      "Resolve a clarification; an escalated one needs a human",
      decide("resolve"),
    ],
    "clarify escalate": ["Escalate a clarification to a human", decide("escalate")],
    "clarify wait": ["Wait until a clarification is answered", wait],
    "clarify stale": ["List clarifications that are overdue or stuck", clarifications("stale")],
    "clarify watch": ["Follow what happens to clarifications until Ctrl-C", watch],
    "clarify graph": ["Show who waits for whom, and where they deadlock", graph],
    run: ["Let an agent work on an issue with the tools of the workspace", run],
    serve: ["Run agents on open questions until Ctrl-C", serve],
    here: ["Show who this session is, or set its role and issue", here],
    log: ["Show what was done by whom, on what, and when", log],
    assumptions: ["List the decisions that rest on an assumption", assumptions("list")],
    "assumptions show": ["Show one with its reason and its risk", assumptions("show")],
    "assumptions add": ["Record what an agent inferred", assumptions("add")],
    "assumptions confirm": ["Confirm an assumption; memory keeps it", assumptions("confirm")],
    "assumptions revert": ["Revert an assumption; memory retracts it", assumptions("revert")],
    review: ["Show the files of a change, and fix what programs can", reviewChange],
    template: ["Make the documents of an issue from templates"],
    "template list": [
      "List the templates, shipped ones and your own",
      template("list"),
    ],
    "template show": ["Print a template, to copy and change it", template("show")],
    "template new": ["Make the document of an issue from a template", template("create")],
  },
  Settings: {
    config: ["Show and change the settings"],
    "config show": ["Print all settings, with their defaults", showSetting("show")],
    "config get": ["Print one setting", showSetting("get")],
    "config set": ["Change one setting", changeSetting("set")],
    "config unset": ["Remove one setting, so that its default applies", changeSetting("unset")],
    guard: ["Show what agents may do with a command line, and why", guard],
    audit: ["List what agents ran, or were kept from running", audit("list")],
    "audit verify": ["Check that no line of the record was changed or removed", audit("verify")],
    scan: ["Find secrets in files, or in what is staged", scan],
    "git-hooks": ["Check what is committed: secrets, commands, the message"],
    "git-hooks install": ["Add the checks to the hooks of git", gitHooks("install")],
    "git-hooks remove": ["Remove the checks; each hook is as it was before", gitHooks("remove")],
    trust: ["Show what this repository would run, and agree to it", trust],
    workflow: [
      "Show workflows, or where an issue stands",
      workflow,
      "word",
    ],
    "workflow run": ["Let the agents of an issue do its steps", workflowRun],
    "workflow merge": ["Merge the work of an issue that is done, and clean up", workflowMerge],
    demo: ["Watch two scripted agents clear up a question", demo],
  },
};

/** The other headings are shown by `help --all` only. */
const FIRST_SCREEN: readonly string[] = ["Set up", "Every day"];

/**
 * Commands for programs, and earlier spellings: no screen lists them, and `help NAME` explains
 * each.
 */
const HIDDEN: Readonly<Record<string, Row>> = {
  "ask human": ["Ask the human, or be refused: four conditions must hold", askUser],
  "clarify ask": ["Ask another agent, or ask again in a clarification", ask("clarifyAsk")],
  "clarify answer": ["Answer a clarification, as its target or as a human", decide("answer")],
  state: ["Show what each agent is doing, or set it for one", state],
  loop: ["Iterate on an issue until its criteria are met"],
  "loop start": ["Start the iterative loop of an issue", loop("start")],
  "loop status": ["Show the loop of an issue, or all loops", loop("status")],
  "loop iterate": ["Start the next iteration", loop("iterate")],
  "loop complete": ["End a loop: the criteria are met", loop("complete")],
  "loop cancel": ["Give up a loop: the issue is not handed over", loop("cancel")],
  hook: ["Record that an agent starts or ends its work", hook("hook")],
  "hook start": ["Record that an agent starts its work; print what to recall", hook("start")],
  "hook host": ["Answer a hook of a coding agent, as its host writes it", hookHost],
  "hook finish": ["Record that an agent ends its work; remember its session", hook("finish")],
  "git-hooks run": ["Check a commit, for a hook of git", gitHooks("run")],
  link: ["Name another project, so that NAME#12 in an issue can be looked up", link],
  adopt: ["Adopt the state that came with a copy of a project", adopt],
  stats: ["Show figures of the last weeks beside their targets", stats],
  digest: ["Write the digest of a week: figures, issues, assumptions", digest],
  mcp: ["Offer agentx as tools to coding agents: MCP on stdin and stdout", mcp],
  completions: ["Print the completion script for a shell", completions],
  version: ["Print the version", version],
  __complete: ["Complete the last word of a command line", complete],
};

/** All commands, in the order and under the headings of the overview. */
export const COMMANDS: readonly CommandEntry[] = [
  ...Object.entries(TABLE).flatMap(([group, rows]) =>
    Object.entries(rows).map(([name, [summary, load, takesWord]]): CommandEntry => ({
      name,
      summary,
      group: name.includes(" ") ? undefined : group,
      isMore: !FIRST_SCREEN.includes(group),
      load,
      takesWord: takesWord !== undefined,
    }))
  ),
  ...Object.entries(HIDDEN).map(([name, [summary, load]]): CommandEntry => ({
    name,
    summary,
    isHidden: !(name.split(" ")[0] in HIDDEN) || !name.includes(" "),
    load,
  })),
];
