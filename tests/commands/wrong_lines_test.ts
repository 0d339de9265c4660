/**
 * Lines that people type wrongly, written by a reader of the help texts alone: names, numbers, flags, order and
 * missing words. Each is refused with exit 2 and a way out, and writes nothing.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../temp_workspace.ts";

/** Refused by the version before, too. */
const LINES = `
isue list
issues list
list issues
create issue x
issue 1 view
1 issue view
issue ls
issue show
issue create
issue create ""
issue create a b
issue create -l
issue create -t a -t b
issue create x -l ,
issue create x -l type:
issue create x -l type:nope
issue create x -l type:bug,type:docs
issue create x -l p1,p2
issue create x --status Doing
issue create x --due 2026-13-01
issue create x --due tomorrow
issue create x --milestone ""
issue create x --parent x
issue edit
issue edit 1
issue edit 1 Title
issue edit one -t x
issue edit 1 -t ""
issue edit 1 -s Doing
issue edit 1 --status
issue edit 1 -p p1
issue edit 1 --due 2026-02-30
issue edit 1 --due none --due 2026-01-01
issue edit 1 --parent 2 --no-parent
issue edit 1 --force
issue edit 1 --because x
issue view 0
issue view -1
issue view 1.5
issue view 1e3
issue view abc
issue view 99999999999
issue view 1 2
issue view 1 --jsn
issue close
issue close 1 2
issue close done
issue close 1 --because
issue comment 1
issue comment hi
issue comment 1 ""
issue split A B
issue check 1
issue check 1 0
issue check 1 x
issue list --status Doing
issue list --limit 0
issue list --limit ten
issue list --closed -s Ready
issue list open
issue search ""
issue tree x
issue history 1 2
issue import --from jira
issue deps 1 --on x
issue validate 1 enginer
issue export foo
ask
ask architect
ask "Which database?"
ask architect -i 1 --from engineer ""
ask architect -i x --from engineer Q?
ask architect --from engineer Q?
ask architect -i 1 Q?
ask architect -i 1 --from human Q?
ask architect -i 1 --from enginer Q?
ask architect -i 1 --from engineer --max-rounds 0 Q?
ask architect -i 1 -i 2 --from engineer Q?
ask architect -i 1 --from engineer Q? more
ask architect --to reviewer -i 1 --from engineer Q?
ask -i 1 architect engineer
ask CLR-1 Q?
ask human
ask human -i 1 --from pm --timeout 5 Q?
answer
answer yes
answer a CLR-1-001
answer CLR-1-001
answer CLR-1-001 ""
answer CLR-1-001 a b
answer CLR-1-001 --always x
answer CLR-1-001 ok --round 0
answer ASK-001 --decline a
clarify lsit
clarify --issue x
clarify resolve 1
clarify wait CLR-1-001 --timeout soon
ready engineer
ready --claim
ready --claim enginer
ready --claim engineer 1
ready --claim engineer --lease 0
ready --release engineer --claim engineer
ready --issue 1
memory
memory note ""
memory note decision:
memory note --category idea x
memory search --limit x foo
memory recall --agent
here engineer
here --issue 0
here --issue 1 --issue 2
config get
config set nosuch 1
config set gate.timeout 5
config set memory.maxTokens lots
config set memory.enabled maybe
config set agents.architect.preset clod
config set agents.architect.command claude
workflow run
workflow run x
workflow run 1 --until nostep
workflow run 1 --budget 20k
workflow run 1 --parallel 0
workflow run --until prd
workflow --accept prd
workflow 1 run
workflow 1 --skip ux
workflow 1 --take ux --skip ux --because x
workflow merge abc
review
review 1 --diff --fix
template new prd
trust yes
setup clod
setup claude codex
setup claude --check --remove
init foo
init --yes --dry-run
log --since sometime
stats --weeks two
digest --week 2026-W60
audit --limit 0
board --port 99999
loop start 1 --max-iterations 0
assumptions add -i 1 --from pm --because y --risk enormous x
git-hooks instal
help nosuch
completions tcsh
doctor --fx
undoo
reopen 1
issue reopen 1
issue undoo 1
issue undo
issue edit 1 --title x --title y
issue create --titel x
issue create x --due 30.11.2026
issue edit 1 -l type:bug -l type:docs
issue list --limit -5
issue list --sort age
ready --claim engineer --lease 30
ask architect -i 1 --from engineer --max-rounds two Q?
clarify graph x
memory recall engineer x
memory note -i 99x text
workflow run 1 --dry
stats --weeks -1
config set clarify.maxRunsPerDay -1
config set agents.engineer.timeoutSeconds soon
remote git a b
assumptions revert
state engineer --set busy
-x
`.trim().split("\n");

/** The version before took these. */
const TAKEN = `
issue create x --as nobody
issue edit 1 -t y --as human2
issue close 1 --as enginer
issue delete 1 --as nobody
issue undo 1 --as nobody
clarify resolve CLR-1-001 x --as nobody
here --as enginer
status foo
state --agent x --set working
issue edit 1 -l p0 --remove-label p0
issue edit 1 --blocked-by 1
issue deps 1 --on 1
issue deps 1 --on 2 --off 2
issue split 1 ""
issue list -l type:nope
config set defaultWorkflow nope
ready --claim engineer --force
`.trim().split("\n");

function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word);
}

Deno.test("a line that is typed wrongly is refused with exit 2 and a way out, and writes nothing", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay by card", "-l", "type:feature"]);
  await temp.run(["issue", "create", "Crash", "-b", "## Acceptance criteria\n- [ ] works"]);
  await temp.run(["ask", "architect", "-i", "1", "--from", "engineer", "Which?"]);
  // Folders alone hold nothing, and the log is for what was called.
  const files = () =>
    Object.entries(temp.snapshot()).filter(([path, text]) => text !== "/" && !/\/log\//.test(path));
  const before = files();
  for (const line of [...LINES, ...TAKEN]) {
    const { code, out, err } = await temp.run(wordsOf(line));
    // The line of the error says what is wrong, the next one what to do.
    const hasWayOut = /^error: Cannot .+\n {2}\S.*$/ms.test(err);
    assertEquals([line, code, out, hasWayOut], [line, 2, "", true], err);
    assertEquals(files(), before, line);
  }
});

Deno.test("names from other trackers get the option or command of agentx as a suggestion", async () => {
  using temp = new TempWorkspace();
  for (
    const [line, hint] of [
      ["issue create x --type bug", "Did you mean -l type:TYPE?"],
      ["issue release 1", 'Did you mean "agentx ready --release ROLE --issue N"?'],
      ["claim 1", 'Did you mean "agentx ready --claim ROLE"?'],
      ["issue reopn 1", 'Did you mean "agentx issue edit N --status Ready"?'],
      ["issue close 1 --as enginer", "Did you mean engineer?"],
    ]
  ) {
    const { err } = await temp.run(wordsOf(line));
    assert(err.includes(hint), err);
  }
});

Deno.test("issue create understands P1 as p1, and says so", async () => {
  using temp = new TempWorkspace();
  const { err } = await temp.run(["issue", "create", "x", "-l", "P1"]);
  assertEquals([err.split("\n")[0], temp.issue(1).labels], ["note: P1 is understood as p1", [
    "p1",
  ]]);
});

/** A slip that has a meaning, or another exit code: what is said about it. */
const SAID: readonly [line: string, code: number, said: string][] = [
  ["loop start 99", 4, "Cannot find issue #99: there is no such issue"],
  ["memory note --agent engineer --issue 99 x", 0, "note: there is no issue #99 here"],
  ["memory note --agent enginer --issue 1 x", 2, "Did you mean engineer?"],
  ["memory recall --agent enginer --issue 1", 2, "Did you mean engineer?"],
  ["memory search --agent enginer x", 2, "Did you mean engineer?"],
  ["log --agent enginer", 2, "Did you mean engineer?"],
  ["audit --agent enginer", 2, "Did you mean engineer?"],
  ["memory note --agent nobody --issue 1 x", 2, "Known agents: "],
  ["here --as engineer --issue 77", 0, "note: there is no issue #77 here"],
  ["config set agents.enginer.preset claude", 0, "Did you mean engineer?"],
  ["config set --global agents.revewer.preset claude", 0, "Did you mean reviewer?"],
  ["ask architct -i 1 --from engineer Q?", 2, "Did you mean architect?"],
  ["ask architect -i 1 --from engneer@2 Q?", 2, "Did you mean engineer?"],
  ["issue create x -l tpye:bug", 2, "Did you mean type:bug?"],
  ["issue create x -l prority:p1", 2, "Did you mean priority:p1?"],
  ["issue create x -l type:bgu", 2, "Did you mean type:bug? One of: bug, "],
  ["issue create x -l priority:p9", 2, "a priority must be p0 to p3"],
  ["issue create x --blocked-by 99", 4, "Cannot find issue #99"],
  ["issue edit 2 --blocked-by 99", 4, "Cannot find issue #99"],
  ["issue deps 2 --on 99", 4, "Cannot find issue #99"],
  ["issue edit 2 -l blockd_by:1", 2, "Did you mean blocked_by:1?"],
  ["issue edit 2 -l blocked_by:2", 2, "#2 cannot wait for itself"],
  ["issue edit 2 -l blocks:2", 2, "#2 cannot wait for itself"],
  ["clarify --issue 98", 4, "Cannot find issue #98"],
  ["workflow nofeature", 4, "Use one of: bug, "],
  ["workflow featrue", 4, "Did you mean feature?"],
  ["workflow 1 run", 2, 'Did you mean "agentx workflow run 1"?'],
  ["issue 1 view", 2, 'Did you mean "agentx issue view 1"?'],
  ["clarify CLR-1-001 resolve", 2, 'Did you mean "agentx clarify resolve CLR-1-001"?'],
  ["workflow 01", 2, "N must be a whole number from 1"],
  ["workflow 1.5", 2, "N must be a whole number from 1"],
  ["clarify resolve CLR-1-001", 2, "CLR-1-001 is pending"],
  ["workflow rnu 1", 2, 'Did you mean "agentx workflow run"?'],
  ["workflow 1 --accept reveiw", 2, "Did you mean review? Steps: prd, "],
  ["workflow 1 --skip uxx", 2, "Did you mean ux? Steps: prd, "],
  ["workflow run 1 --until implemnt", 2, "Did you mean implement? Steps: prd, "],
  ["review 1 reviw --diff", 2, "Did you mean review? Steps: prd, "],
  ["board --out .agentx", 2, "is a folder\n  Name a file in a folder that is there."],
  ["board --out nowhere/board.html", 2, "Name a file in a folder that is there."],
  ["why .agentx/config.json:three", 2, '"three" is no line'],
  ["why .agentx/config.json:1:2", 2, '"1:2" is no line'],
  ["answer CLR-1-02 a", 4, "CLR-1-002"],
  ["config get agents.architect.prset", 4, "there is no such setting"],
];

Deno.test("a slip is told with the word that was meant", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay by card", "-l", "type:feature"]);
  await temp.run(["issue", "create", "Crash"]);
  await temp.run(["ask", "architect", "-i", "1", "--from", "engineer", "Which?"]);
  for (const [line, wanted, said] of SAID) {
    const { code, err } = await temp.run(wordsOf(line));
    assertEquals([line, code, err.includes(said)], [line, wanted, true], err);
  }
});

Deno.test("a label, a role and a number that are meant are taken without a word", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "x", "-l", "nodes:web"]);
  for (
    const line of [
      "issue create y -l nodes:web -l time:late -l site:web -l area:ui",
      "config set agents.architect.timeoutSeconds 60",
      "memory note --agent engineer --issue 0 x",
      "memory note --agent engineer --issue 1 y",
    ]
  ) {
    const { code, err } = await temp.run(wordsOf(line));
    assertEquals([line, code, /Did you mean|no issue/.test(err)], [line, 0, false], err);
  }
});

Deno.test("plugin install looks for its source before it says that nobody agrees to it", async () => {
  using temp = new TempWorkspace();
  const { code, err } = await temp.run(["plugin", "install", "./nope"]);
  assertEquals([code, err.startsWith("error: Cannot find package")], [4, true], err);
});
