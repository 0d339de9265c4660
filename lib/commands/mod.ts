// The table of commands, the only place with their names and summaries. The words of a command lead to its module, and
// only the module of the called command is loaded.

import type { Command, CommandEntry, Load } from "../cli/command.ts";

/** Loads a module, which exports its command, or a function that makes the command from the table. */
type LoadRow = () => Promise<{
  command: Command | ((commands: readonly CommandEntry[]) => Command);
}>;

/** The summary and the module of a command; a group of subcommands has no module. */
type Row = readonly [summary: string, load?: LoadRow, takesWord?: "word"];

/** The commands under their headings, in the order of the overview. */
const TABLE: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  "Set up": {
    init: ["Create a workspace here; existing files are kept", () => import("./init.ts")],
    setup: ["Install agentx into coding agents, check it, or undo it", () => import("./setup.ts")],
    agents: ["List agents, how each runs and how its last run ended", () => import("./agents.ts")],
    "agents test": ["Run an agent once; show prompt and reply", () => import("./agents/test.ts")],
    doctor: ["Check the workspace; exits 1 if something fails", () => import("./doctor.ts")],
  },
  "Every day": {
    status: [
      "Show what runs, what waits for you or others, and what is ready",
      () => import("./status.ts"),
    ],
    ask: ["Ask an agent, or the human", () => import("./ask.ts")],
    answer: ["Answer an agent, or decide what waits for you", () => import("./answer.ts")],
    board: ["Open the workspace in the browser, until Ctrl-C", () => import("./board.ts")],
    inbox: ["Go through what waits for you, most blocking first", () => import("./inbox.ts")],
    ready: ["List the issues that can be worked on, or claim one", () => import("./ready.ts")],
    issue: ["Create, list and change local issues"],
    "issue create": ["Create an issue", () => import("./issue/create.ts")],
    "issue list": ["List open issues, or those that match", () => import("./issue/list.ts")],
    "issue view": ["Show an issue: text, steps, open questions", () => import("./issue/view.ts")],
    "issue edit": ["Change title, body, labels or status", () => import("./issue/edit.ts")],
    "issue close": ["Close an issue: status Done, no assignee", () => import("./issue/close.ts")],
    "issue comment": ["Add a comment to an issue", () => import("./issue/comment.ts")],
    "issue search": ["Search issues, comments, clarifications", () => import("./issue/search.ts")],
    "issue split": ["Split an issue, from titles or a plan", () => import("./issue/split.ts")],
    "issue check": ["Tick an acceptance criterion of an issue", () => import("./issue/check.ts")],
    "issue tree": ["Show issues, their parts and what is done", () => import("./issue/tree.ts")],
    "issue history": ["Show who changed what, and when", () => import("./issue/history.ts")],
    "issue undo": ["Undo a change, by default the latest", () => import("./issue/undo.ts")],
    "issue delete": ["Delete an issue; undo brings it back", () => import("./issue/delete.ts")],
    "issue import": ["Import issues of beads, gh and others", () => import("./issue/import.ts")],
    "issue export": ["Print all issues as JSON lines", () => import("./issue/export.ts")],
    "issue commit": [
      "Commit the issues and the memory to git, and nothing else",
      () => import("./issue/commit.ts"),
    ],
    "issue deps": ["Show what blocks an issue and what it blocks", () => import("./issue/deps.ts")],
    "issue route": ["Show who works on an issue first, and why", () => import("./issue/route.ts")],
    "issue validate": [
      "Check whether a role can hand over the issue",
      () => import("./issue/validate.ts"),
    ],
    memory: ["Find and keep what earlier sessions learned"],
    "memory search": ["Search observations by their words", () => import("./memory/search.ts")],
    "memory view": ["Show a whole observation", () => import("./memory/view.ts")],
    "memory timeline": ["Show what came before and after", () => import("./memory/timeline.ts")],
    "memory recall": [
      "Print what an agent should know before it starts",
      () => import("./memory/recall.ts"),
    ],
    "memory note": ["Remember one thing, or correct another", () => import("./memory/note.ts")],
    "memory capture": ["Remember what a session learned", () => import("./memory/capture.ts")],
    "memory retract": [
      "Mark an observation as wrong: kept, never recalled",
      () => import("./memory/retract.ts"),
    ],
    "memory review": ["Review what may no longer be true", () => import("./memory/review.ts")],
    "memory delete": [
      "Delete an observation for good; never captured again",
      () => import("./memory/delete.ts"),
    ],
    "memory stats": ["Summarize memory: counts, bytes, ages", () => import("./memory/stats.ts")],
    "memory compact": ["Archive what is old, or restore it", () => import("./memory/compact.ts")],
    "memory export": ["Print all observations as JSON lines", () => import("./memory/export.ts")],
    "memory import": [
      "Import an export, or an issue file of the original AgentX",
      () => import("./memory/import.ts"),
    ],
    "memory rebuild": ["Rebuild the index of observations", () => import("./memory/rebuild.ts")],
  },
  "Agents at work": {
    clarify: ["List open questions, or show the threads of an issue", () => import("./clarify.ts")],
    "clarify run": ["Run agents that open questions wait for", () => import("./clarify/run.ts")],
    "clarify resolve": ["Resolve a clarification", () => import("./clarify/resolve.ts")],
    "clarify escalate": ["Hand a clarification to a human", () => import("./clarify/escalate.ts")],
    "clarify wait": ["Wait until a clarification is answered", () => import("./clarify/wait.ts")],
    "clarify stale": ["List what is overdue or stuck", () => import("./clarify/stale.ts")],
    "clarify watch": ["Follow clarifications until Ctrl-C", () => import("./clarify/watch.ts")],
    "clarify graph": ["Show who waits for whom, and deadlocks", () => import("./clarify/graph.ts")],
    run: ["Let an agent work on an issue with the workspace's tools", () => import("./run.ts")],
    serve: ["Run agents on open questions until Ctrl-C", () => import("./serve.ts")],
    here: ["Show who this session is, or set its role and issue", () => import("./here.ts")],
    why: ["Show the commit, issue and decisions of a line", () => import("./why.ts")],
    stats: ["Show figures of the last weeks beside their targets", () => import("./stats.ts")],
    digest: ["Write a week's digest: figures, issues, assumptions", () => import("./digest.ts")],
    log: ["Show who did what, on what, and when", () => import("./log.ts")],
    undo: ["Take back what a command did, by default your last", () => import("./undo.ts")],
    assumptions: ["List decisions that rest on an assumption", () => import("./assumptions.ts")],
    "assumptions show": [
      "Show an assumption with its reason and risk",
      () => import("./assumptions/show.ts"),
    ],
    "assumptions add": ["Record what an agent inferred", () => import("./assumptions/add.ts")],
    "assumptions confirm": [
      "Confirm an assumption; memory keeps it",
      () => import("./assumptions/confirm.ts"),
    ],
    "assumptions revert": [
      "Revert an assumption; memory retracts it",
      () => import("./assumptions/revert.ts"),
    ],
    loop: ["Iterate on an issue until its criteria are met"],
    "loop start": ["Start the iterative loop of an issue", () => import("./loop/start.ts")],
    "loop status": ["Show the loop of an issue, or all loops", () => import("./loop/status.ts")],
    "loop iterate": ["Start the next iteration", () => import("./loop/iterate.ts")],
    "loop complete": ["End a loop: the criteria are met", () => import("./loop/complete.ts")],
    "loop cancel": ["Give up a loop: nothing is handed over", () => import("./loop/cancel.ts")],
    review: ["Show the files of a change; --fix runs fixers on them", () => import("./review.ts")],
    template: ["Make the documents of an issue from templates"],
    "template list": ["List templates, shipped and your own", () => import("./template/list.ts")],
    "template show": ["Print a template to copy and change", () => import("./template/show.ts")],
    "template new": ["Make an issue's document from a template", () => import("./template/new.ts")],
  },
  Settings: {
    config: ["Show and change the settings"],
    "config show": ["Print all settings, with their defaults", () => import("./config/show.ts")],
    "config get": ["Print one setting", () => import("./config/get.ts")],
    "config set": ["Change one setting", () => import("./config/set.ts")],
    "config unset": ["Remove one setting: its default applies", () => import("./config/unset.ts")],
    guard: ["Show whether agents may run a command line, and why", () => import("./guard.ts")],
    audit: ["List what agents ran, or were kept from running", () => import("./audit.ts")],
    "audit verify": ["Check that the record was not changed", () => import("./audit/verify.ts")],
    scan: ["Find secrets in files, or in what is staged", () => import("./scan.ts")],
    "git-hooks": ["Check what is committed: secrets, commands, the message"],
    "git-hooks install": ["Add the checks to git's hooks", () => import("./git_hooks/install.ts")],
    "git-hooks remove": ["Remove the checks again", () => import("./git_hooks/remove.ts")],
    remote: ["Share this workspace with other machines"],
    "remote git": ["Share claims and questions over a git remote", () => import("./remote/git.ts")],
    "remote none": ["Stop sharing", () => import("./remote/none.ts")],
    sync: ["Exchange changes with other machines and with GitHub", () => import("./sync.ts")],
    plugin: [
      "List packages, what each may do, and whether you agreed",
      () => import("./plugin.ts"),
    ],
    "plugin install": ["Install a package, or look at it", () => import("./plugin/install.ts")],
    "plugin remove": ["Remove a package", () => import("./plugin/remove.ts")],
    "plugin new": ["Make a package with a command or a skill", () => import("./plugin/new.ts")],
    "plugin run": ["Run a command of a package", () => import("./plugin/run.ts")],
    schedule: ["List scheduled tasks and their next runs", () => import("./schedule.ts")],
    "schedule run": ["Run the tasks that are due", () => import("./schedule/run.ts")],
    "schedule install": [
      "Have cron or systemd run due tasks",
      () => import("./schedule/install.ts"),
    ],
    trust: ["Show what this repository would run, and agree to it", () => import("./trust.ts")],
    adopt: ["Accept the state of a copied project as your own", () => import("./adopt.ts")],
    workflow: ["Show workflows, or where an issue stands", () => import("./workflow.ts"), "word"],
    "workflow run": [
      "Run the steps of an issue with its agents",
      () => import("./workflow/run.ts"),
    ],
    "workflow merge": ["Merge the work of a finished issue", () => import("./workflow/merge.ts")],
    demo: ["Watch two scripted agents clear up a question", () => import("./demo.ts")],
  },
};

/** The headings of the first screen; only `help --all` shows the others. */
const FIRST_SCREEN: readonly string[] = ["Set up", "Every day"];

/**
 * Commands that programs call, and old spellings of commands. No help screen lists them, but `help NAME` explains each.
 */
const HIDDEN: Readonly<Record<string, Row>> = {
  "ask human": [
    "Ask the human, if the four conditions of docs/decide.md hold",
    () => import("./ask/human.ts"),
  ],
  "clarify ask": ["agentx ask, in the documents' words", () => import("./clarify/ask.ts")],
  "clarify answer": ["agentx answer, in the documents' words", () => import("./clarify/answer.ts")],
  state: ["Show what each agent is doing, or set it for one", () => import("./state.ts")],
  hook: ["agentx hook start and finish, in the documents' words", () => import("./hook.ts")],
  "hook start": ["Record the start of work; print what to recall", () => import("./hook/start.ts")],
  "hook host": ["Answer a hook of a coding agent", () => import("./hook/host.ts")],
  "hook finish": ["Record the end of work; remember the session", () => import("./hook/finish.ts")],
  "git-hooks run": ["Check a commit, for a hook of git", () => import("./git_hooks/run.ts")],
  link: ["Name another project, so that issues may refer to NAME#12", () => import("./link.ts")],
  mcp: ["Offer agentx as tools to coding agents: MCP on stdio", () => import("./mcp.ts")],
  completions: ["Print the completion script for a shell", () => import("./completions.ts")],
  version: ["Print the version", () => import("./version.ts")],
  __acp: ["Talk to an agent over the Agent Client Protocol", () => import("./__acp.ts")],
  __run: ["Run the target of one open question", () => import("./__run.ts")],
  __sync: ["Sync with other machines, for a hook", () => import("./__sync.ts")],
  __complete: ["Complete the last word of a command line", () => import("./__complete.ts")],
};

/** All commands, in the order and under the headings of the overview. */
export const COMMANDS: readonly CommandEntry[] = [
  ...Object.entries(TABLE).flatMap(([group, rows]) =>
    Object.entries(rows).map(([name, [summary, load, takesWord]]): CommandEntry => ({
      name,
      summary,
      group: name.includes(" ") ? undefined : group,
      isMore: !FIRST_SCREEN.includes(group),
      load: withTable(load),
      takesWord: takesWord !== undefined,
    }))
  ),
  ...Object.entries(HIDDEN).map(([name, [summary, load]]): CommandEntry => ({
    name,
    summary,
    isHidden: !(name.split(" ")[0] in HIDDEN) || !name.includes(" "),
    load: withTable(load),
  })),
];

function withTable(load: LoadRow | undefined): Load | undefined {
  return load && (async () => {
    const { command } = await load();
    return { command: typeof command === "function" ? command(COMMANDS) : command };
  });
}
