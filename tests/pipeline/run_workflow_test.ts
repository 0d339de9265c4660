import { assert, assertEquals } from "@std/assert";
import type { AgentInvoker } from "../../lib/agents/agent_call.ts";
import type { StepOutcome } from "../../lib/pipeline/run_step.ts";
import { runWorkflow } from "../../lib/pipeline/run_workflow.ts";
import type { StepTask } from "../../lib/pipeline/step_task.ts";
import { AgentxError } from "../../lib/base/errors.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { workflowParts } from "../../lib/workspace/workflow_parts.ts";
import { askWords } from "../gate/samples.ts";
import { refusal } from "../refusal.ts";
import { leaks, LEAKY, TOKEN } from "../secrets.ts";
import { ended } from "../temp_workspace.ts";
import { document, FEATURE, git, GOOD, place, repository, type Script } from "./feature.ts";

const STEPS: Record<string, { output?: string }> = {
  prd: { output: "docs/prd/PRD" },
  ux: { output: "docs/ux/UX" },
  architecture: { output: "docs/adr/ADR" },
  implement: {},
  review: { output: "docs/reviews/REVIEW" },
};

Deno.test("workflow run takes a feature from its requirements to Done", async () => {
  const { temp, runs, run, checked } = await place(GOOD);
  using _ = temp;
  const [first, ...others] = await run();
  assertEquals([first, ...others.splice(0, 2).sort(), ...others], [
    "prd: done (1)",
    "architecture: done (1)",
    "ux: done (1)",
    "implement: done (1)",
    "review: done (1)",
  ]);
  assertEquals(checked, {
    prd: ["docs/prd/PRD-1.md"],
    ux: ["docs/ux/UX-1.md"],
    architecture: ["docs/adr/ADR-1.md"],
    implement: ["sh test.sh"],
    review: ["docs/reviews/REVIEW-1.md"],
  });
  assertEquals([runs.length, temp.issue(1).status], [5, "Done"]);
  assertEquals((await temp.json(["status"])).running, [], "nobody works on what is done");
  assertEquals(temp.read("docs/prd/PRD-1.md"), "# PRD\n\n## Goals\n\nIt works.\n");
  assertEquals(temp.read("app.txt"), "nothing\n", "a person merges");
  assertEquals(git(temp, "show", "agentx/1-implement:app.txt"), "works");
  assertEquals(git(temp, "show", "agentx/1-review:app.txt"), "works");
  assertEquals(git(temp, "rev-list", "--count", "main"), "1");
  assertEquals(await run(), []);
});

Deno.test("workflow run notes that the session of its agent has ended, and of no other", async () => {
  using temp = await repository();
  const own = "01a22158-f243-71a0-b522-b25010fc16e7";
  const begins = (id: string) =>
    temp.run(["hook", "start", "product-manager", "1"], { env: { CODEX_SESSION_ID: id } });
  await begins("01a22158-66e8-7e63-87c3-03eff0d7cb07");
  const pm: AgentInvoker = async ({ cwd, prompt }) => {
    await begins(own);
    return { text: GOOD["product-manager"](cwd!, prompt, 1), runner: "codex", session: own };
  };
  const agents = { "product-manager": pm };
  const parts = workflowParts(await openWorkspaceParts({ root: temp.root, agents }));
  const outcomes = await Array.fromAsync(runWorkflow(1, { until: "prd" }, parts));
  assertEquals(outcomes.map(({ outcome }) => outcome), ["done"]);
  const { running } = await temp.json(["status"]);
  assertEquals(running.map(({ agent }: { agent: string }) => agent), [
    "product-manager@codex-cb07",
  ]);
});

Deno.test("files beside a document are copied with it; its template has its values", async () => {
  const prompts: string[] = [];
  const ux: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    document("docs/ux/UX-1.html", "<input>\n")(cwd, prompt, run);
    document("docs/ux/UX-10.md", "# Of another issue\n")(cwd, prompt, run);
    return document("docs/ux/UX-1.md", "# It\n\n[Prototype](UX-1.html)\n")(cwd, prompt, run);
  };
  const seen: string[] = [];
  const engineer: Script = (cwd, prompt, run) => {
    seen.push(Deno.readTextFileSync(`${cwd}/docs/ux/UX-1.html`));
    return document("app.txt", "works\n")(cwd, prompt, run);
  };
  const pm: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    return GOOD["product-manager"](cwd, prompt, run);
  };
  const { temp, run } = await place({
    ...GOOD,
    "product-manager": pm,
    "ux-designer": ux,
    engineer,
  });
  using _ = temp;
  temp.write("docs/prd-template.md", "# PRD of ${issue.title}\n\n## Goals\n");
  await run("implement");
  assert(prompts[0].includes("# PRD of Make it work"), prompts[0]);
  assert(prompts[0].includes("In a sandbox, /tmp is empty at first"), prompts[0]);
  assertEquals([seen, temp.read("docs/ux/UX-1.html")], [["<input>\n"], "<input>\n"]);
  assert(!temp.has("docs/ux/UX-10.md"));
});

Deno.test("workflow run sends a step back once with what is missing, then stops", async () => {
  const prompts: string[] = [];
  const bad: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    const text = run === 1 ? "# PRD\n" : "# PRD\n\n## Goals\n\nIt works.\n";
    return document("docs/prd/PRD-1.md", text)(cwd, prompt, run);
  };
  const { temp, run } = await place({ ...GOOD, "product-manager": bad });
  using _ = temp;
  assertEquals(await run("prd"), ["prd: done (2)"]);
  assert(!prompts[0].includes("missing last time") && prompts[1].includes('the heading "Goals"'));
  const { stats } = await temp.json(["stats"]);
  const figure = (name: string) =>
    stats.figures.find((each: { name: string }) => each.name === name);
  assertEquals([figure("firstPass").count, figure("firstPass").of], [0, 1]);
  assert(figure("tokensPerStep").value > 0 && stats.steps[0].medianTokens > 0);
});

Deno.test("workflow run commits no secret and no blocked command, as the hook of git would not", async () => {
  const token = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;
  const prompts: string[] = [];
  const pm: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    document("run.sh", run === 1 ? "git reset --hard\n" : "ls\n")(cwd, prompt, run);
    document("key.txt", run === 1 ? `a\n${token}\n` : "a\n")(cwd, prompt, run);
    return GOOD["product-manager"](cwd, prompt, run);
  };
  const { temp, run } = await place({ ...GOOD, "product-manager": pm });
  using _ = temp;
  assertEquals(await run("prd"), ["prd: done (2)"]);
  assert(/key\.txt:2: a secret/.test(prompts[1]), prompts[1]);
  assert(/run\.sh:1: a command that no agent may run/.test(prompts[1]), prompts[1]);
  assertEquals(git(temp, "log", "-p", "--all").includes(token), false);
});

Deno.test("workflow run hands on no step that is not done, and runs its agent no third time", async () => {
  const bad = document("docs/prd/PRD-1.md", "# PRD\n");
  const { temp, run, runs } = await place({ ...GOOD, "product-manager": bad });
  using _ = temp;
  assertEquals(await run(), ["prd: not done (2)"]);
  assertEquals(await run(), ["prd: not done (2)"]);
  assertEquals([runs.length, temp.has("docs/prd/PRD-1.md")], [2, false]);
});

Deno.test("a step that is not done waits in the inbox, and its agent begins again as a person says", async () => {
  const prompts: string[] = [];
  const bad: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    const text = run < 3 ? "# PRD\n" : "# PRD\n\n## Goals\n\nIt works.\n";
    return document("docs/prd/PRD-1.md", text)(cwd, prompt, run);
  };
  const { temp, run } = await place({ ...GOOD, "product-manager": bad });
  using _ = temp;
  await run("prd");
  const { entries } = await temp.json(["inbox"]);
  const [{ id, kind, content, blocks }] = entries;
  assertEquals([id, kind, blocks], ["STP-1-prd", "stopped", ["prd of #1"]]);
  assert(content.includes('missing the heading "Goals"'), content);
  assert(content.includes("agentx workflow run 1"), content);
  const queue = await temp.json(["ready"]);
  assertEquals(queue.issues, []);
  const [{ reasons }] = queue.waiting;
  const text = "BLOCKED: prd waits for a person: agentx inbox";
  assertEquals(reasons, [{ kind: "stopped", text, steps: ["prd"] }]);
  const { out } = await temp.run(["workflow", "1"]);
  assert(out.includes("agentx answer STP-1-prd a|TEXT") && /^ {2}ready +prd/m.test(out), out);
  const agent = { env: { AGENTX_AGENT: "engineer" } };
  assert((await temp.run(["answer", "STP-1-prd", "a"], agent)).code !== 0);
  const { code: refused, err } = await temp.run(["answer", "STP-1-prd", "b"]);
  assert(refused === 2 && err.includes("Answer with a (let its agent begin again"), err);
  assertEquals((await temp.run(["answer", "STP-1-prd", "Name the goals"])).code, 0);
  assertEquals((await temp.json(["inbox"])).entries, []);
  assertEquals((await temp.json(["ready"])).issues.length, 1);
  assertEquals((await temp.run(["answer", "STP-1-prd", "a"])).code, 4);
  assertEquals(await run("prd"), ["prd: done (1)"]);
  assert(prompts[2].includes("Name the goals"), prompts[2]);
  const { returns, steps } = await temp.json(["workflow", "1"]);
  assertEquals([returns, steps[0].by], [0, "product-manager"], "nobody has sent it back");
  const { stats } = await temp.json(["stats"]);
  const { value } = stats.figures.find(({ name }: { name: string }) => name === "rework");
  assertEquals(value, 0);
  const { out: history } = await temp.run(["issue", "history", "1"]);
  assert(history.includes("    restarted: prd (Name the goals)\n"), history);
});

Deno.test("a step that a person has mended and validated waits in the inbox no more", async () => {
  const fails: Script = () => {
    throw new Error("no login");
  };
  const { temp, run } = await place({ ...GOOD, "product-manager": fails });
  using _ = temp;
  assertEquals(await run("prd"), ["prd: not done (2)"]);
  const { entries: [{ content }] } = await temp.json(["inbox"]);
  assert(content.includes("no login"), content);
  temp.write("docs/prd/PRD-1.md", "# PRD\n\n## Goals\n\nIt works.\n");
  assertEquals((await temp.run(["validate", "1", "pm"])).code, 0);
  assertEquals((await temp.json(["inbox"])).entries, []);
});

Deno.test("no agent asks the human once implementation was claimed, whoever has the issue", async () => {
  const { temp, run } = await place({ ...GOOD, engineer: document("app.txt", "broken\n") });
  using _ = temp;
  await run();
  await temp.run(["ready", "--release", "engineer", "--issue", "1"]);
  const { code, err } = await temp.run(askWords({ issue: "1" }));
  assertEquals([code, err.includes("engineer has begun implement of #1")], [6, true], err);
});

Deno.test("steps that need nothing of each other run side by side, as many as --parallel allows", async () => {
  for (const [parallel, most] of [[1, 1], [2, 2]]) {
    const { temp, most: seen, workspace } = await place(GOOD, 500);
    using _ = temp;
    for await (const _ of runWorkflow(1, { parallel }, workflowParts(workspace)));
    assertEquals([seen(), temp.issue(1).status], [most, "Done"]);
  }
});

Deno.test("workflow run does the parts of an issue, each when what it waits for is done", async () => {
  const roles = [...Object.keys(GOOD)];
  const writer: Script = (cwd, prompt) => {
    const [, number, id] = /issue #(\d+) is "(\w+)"/.exec(prompt)!;
    const { output } = STEPS[id];
    return output === undefined
      ? document("app.txt", `works ${number}\n`)(cwd, prompt, 1)
      : document(`${output}-${number}.md`, "# PRD\n\n## Goals\n\nIt.\n")(cwd, prompt, 1);
  };
  const { temp, workspace } = await place(Object.fromEntries(roles.map((role) => [role, writer])));
  using _ = temp;
  const plan = "**Group A: Form**\n- x\n\n**Group B: Bank**\nDepends on: A\n\n" +
    "**Group C: Mail**\nStarts at: architecture\n- y\n";
  Deno.removeSync(`${temp.root}/.agentx/workflows/story.toml`); // parts take the default workflow
  await temp.run(["issue", "split", "1"], { stdin: plan });
  const order: string[] = [];
  const begun: number[] = [];
  const onStart = ({ known }: StepTask) => void begun.push(known.issue.number);
  const parts = workflowParts(workspace);
  for await (const { issueNumber, step, outcome, reasons } of runWorkflow(1, { onStart }, parts)) {
    assertEquals([outcome, reasons], ["done", []]);
    order.push(`${issueNumber} ${step}`);
  }
  assertEquals([2, 3, 4].map((number) => temp.issue(number).status), ["Done", "Done", "Done"]);
  const of = (number: number) => order.filter((each) => each.startsWith(`${number} `));
  assertEquals(of(2), ["2 implement", "2 review"], "a plan comes before a group");
  assertEquals([of(4).includes("4 prd"), of(4).includes("4 architecture")], [false, true]);
  assert(order.indexOf("3 implement") > order.indexOf("2 review"), order.join());
  assertEquals(begun.slice(0, 2).sort(), [2, 4], "4 waits for no part");
  const { steps } = await temp.json(["workflow", "3"]);
  assertEquals(steps[0].state, "done");
  const { out } = await temp.run(["issue", "history", "3"]);
  assert(out.includes("approved: prd (planned with #1)"), out);
});

Deno.test("an agent finds that its step is not needed, once; what is behind waits for that", async () => {
  const prompts: string[] = [];
  const ux: Script = (_cwd, prompt) => {
    prompts.push(prompt);
    return "I looked.\nNOT NEEDED: there is no screen";
  };
  const { temp, run, runs } = await place({ ...GOOD, "ux-designer": ux });
  using _ = temp;
  const path = ".agentx/workflows/feature.toml";
  const optional = 'id = "ux"\noptional = true\ncondition = "It has a screen"';
  temp.write(path, temp.read(path).replace('id = "ux"', optional));
  const outcomes = await run();
  assert(outcomes.includes("ux: left out (1)"), outcomes.join());
  assert(outcomes.indexOf("ux: left out (1)") < outcomes.indexOf("implement: done (1)"));
  assertEquals([temp.issue(1).status, runs.filter((role) => role === "ux-designer").length], [
    "Done",
    1,
  ]);
  assert(prompts[0].includes("> It has a screen\n") && prompts[0].includes("NOT NEEDED: why"));
  const { steps } = await temp.json(["workflow", "1"]);
  assertEquals(steps[1].state, "skipped");
  assertEquals(steps[1].why, ["ux-designer decided to leave it out: there is no screen"]);
});

Deno.test("a run begins an optional step while another agent works on the step beside it", async () => {
  const ux: Script = () => "NOT NEEDED: there is no screen";
  const { temp, run, workspace } = await place({ ...GOOD, "ux-designer": ux });
  using _ = temp;
  const path = ".agentx/workflows/feature.toml";
  const optional = 'id = "ux"\noptional = true\ncondition = "It has a screen"';
  temp.write(path, temp.read(path).replace('id = "ux"', optional));
  await run("prd");
  await workspace.ready.claim("architect", { issueNumber: 1, step: "architecture" });
  const refused = await temp.run(["ready", "--claim", "ux-designer", "--issue", "1"]);
  assertEquals(refused.code, 6, "a claim by hand names no step");
  assertEquals(await run("ux"), ["ux: left out (1)"]);
});

Deno.test("--clarify-first: what only a person can settle is asked at once, before the first step", async () => {
  const asks: Script = () =>
    '[{ "question": "Which currency?", "settled": null }, { "question": "Which tax?", "settled": null }]';
  const prompts: string[] = [];
  const writes: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    return GOOD["product-manager"](cwd, prompt, run);
  };
  const scripts = { ...GOOD, "requirements-engineer": asks, "product-manager": writes };
  const { temp, runs, workspace } = await place(scripts);
  using _ = temp;
  await temp.run([
    ...["assumptions", "add", "-i", "1", "--from", "pm", "--because", "y", "--risk", "low"],
    "Cards only",
  ]);
  const run = async (clarifyFirst = true) => {
    const outcomes: string[] = [];
    const options = { clarifyFirst, until: "prd" };
    for await (const { step, outcome } of runWorkflow(1, options, workflowParts(workspace))) {
      outcomes.push(`${step}: ${outcome}`);
    }
    return outcomes;
  };
  assertEquals(await run(), ["clarify-first: not done"]);
  assertEquals(await run(false), ["clarify-first: waits"]);
  assertEquals(runs, ["requirements-engineer"]);
  const { entries: [{ id, content }] } = await temp.json(["inbox"]);
  assert(content.includes("1. Which currency?\n2. Which tax?"), content);
  assertEquals((await temp.run(["answer", id, "Euro, and none"])).code, 0);
  assertEquals((await temp.json(["inbox"])).entries, []);
  assertEquals(await run(), ["prd: done"]);
  assert(/Which tax\?\n> A person answered: Euro, and none/.test(prompts[0]), prompts[0]);
  assert(prompts[0].includes("ASM-001: Cards only"), prompts[0]);
  assertEquals(await run(), []);
});

Deno.test("--clarify-first: a reply in prose is asked for again once, then waits for a person", async () => {
  const PROSE = "Sure! [x] I read the issue.\n- [ ] currency\nNothing [] is ambiguous, I think.";
  const replies = [PROSE, PROSE, PROSE, `As asked:\n\`\`\`json\n[]\n\`\`\``];
  const prompts: string[] = [];
  const engineer: Script = (_cwd, prompt) => {
    prompts.push(prompt);
    return replies.shift()!;
  };
  const { temp, runs, workspace } = await place({ ...GOOD, "requirements-engineer": engineer });
  using _ = temp;
  const run = async () => {
    const outcomes: string[] = [];
    const options = { clarifyFirst: true, until: "prd" };
    for await (const ended of runWorkflow(1, options, workflowParts(workspace))) {
      outcomes.push(`${ended.step}: ${ended.outcome} (${ended.attempts})`);
    }
    return outcomes;
  };
  assertEquals(await run(), ["clarify-first: not done (2)"]);
  assertEquals(runs, ["requirements-engineer", "requirements-engineer"]);
  assert(prompts[1].includes("> Nothing [] is ambiguous"), prompts[1]);
  const { entries: [{ content }] } = await temp.json(["inbox"]);
  assert(content.includes("Nothing [] is ambiguous, I think."), content);
  assertEquals(await run(), ["clarify-first: done (2)", "prd: done (1)"]);
  assertEquals((await temp.json(["inbox"])).entries, []);
});

Deno.test("a returned step that the workflow no longer has stops nothing", async () => {
  const { temp, run, workspace } = await place(GOOD);
  using _ = temp;
  await workspace.noteStep(1, { op: "returned", step: "gone", because: "x" }, "reviewer");
  assertEquals(await run("prd"), ["prd: done (1)"]);
});

Deno.test("work that its agent commits on another branch is not handed on, and a commit to main is named", async () => {
  const notes: string[] = [];
  const engineer: Script = (cwd, prompt, run) => {
    document("app.txt", "works\n")(cwd, prompt, run);
    for (const args of ["switch -qc other", "add -A", "commit -qm sneaky"]) {
      new Deno.Command("git", { args: args.split(" "), cwd }).outputSync();
    }
    const root = cwd.replace(/\/\.agentx\/.*/, "");
    new Deno.Command("git", { args: ["commit", "-qm", "x", "--allow-empty"], cwd: root })
      .outputSync();
    return "Done.";
  };
  const { temp, workspace } = await place({ ...GOOD, engineer });
  using _ = temp;
  const last: StepOutcome[] = [];
  const parts = { ...workflowParts(workspace), notify: (text: string) => notes.push(text) };
  for await (const outcome of runWorkflow(1, {}, parts)) last.push(outcome);
  assertEquals([last.at(-1)!.outcome, last.at(-1)!.reasons], ["not done", [
    "its working tree has left agentx/1-implement: git switch agentx/1-implement",
  ]]);
  assert(notes.some((text) => /^while engineer worked, the main checkout went to/.test(text)));
});

Deno.test("two sessions that run one issue at once run each agent once", async () => {
  const { temp, run, runs } = await place(GOOD, 50);
  using _ = temp;
  for (let rounds = 0; temp.issue(1).status !== "Done" && rounds < 5; rounds++) {
    await Promise.all([run(), run(), run()]);
  }
  assertEquals([temp.issue(1).status, runs.toSorted()], ["Done", Object.keys(GOOD).toSorted()]);
});

Deno.test("two agents that finish one step finish it once", async () => {
  const { temp } = await place(GOOD);
  using _ = temp;
  temp.write("docs/prd/PRD-1.md", "# PRD\n\n## Goals\n\nIt works.\n");
  const validate = () => ended(temp.spawn(["validate", "1", "pm"]));
  const codes = (await Promise.all([validate(), validate(), validate()])).map(({ code }) => code);
  assertEquals(codes, [0, 0, 0]);
  const { out } = await temp.run(["issue", "history", "1"]);
  assertEquals(out.match(/validated: prd/g)?.length, 1, out);
});

Deno.test("after an interrupt nobody works on its steps, and the same call continues", async () => {
  const over = new AbortController();
  const stops: Script = (cwd, prompt, run) => {
    if (run > 1) return GOOD["product-manager"](cwd, prompt, run);
    over.abort(new AgentxError("INTERRUPTED", "Stopped", { details: { signal: "SIGINT" } }));
    throw over.signal.reason;
  };
  const { temp, run, workspace } = await place({ ...GOOD, "product-manager": stops });
  using _ = temp;
  const parts = workflowParts(workspace, { signal: over.signal });
  await refusal("INTERRUPTED", () => Array.fromAsync(runWorkflow(1, {}, parts)));
  assertEquals((await temp.json(["status"])).running, []);
  assertEquals(await run("prd"), ["prd: done (1)"]);
});

Deno.test("a run beyond the budget is ended, and begins anew with more", async () => {
  const { temp, run, workspace } = await place(GOOD);
  using _ = temp;
  let isEnded = false;
  const greedy: AgentInvoker = (call) =>
    new Promise((_, reject) => {
      call.signal!.addEventListener("abort", () => {
        isEnded = true;
        reject(call.signal!.reason);
      });
      call.report!(900);
      call.report!(1_200);
    });
  const agents = { ...workspace.agents, "product-manager": greedy };
  const within = async (budget: number, open: typeof workspace) => {
    for await (const _ of runWorkflow(1, { budget, until: "prd" }, workflowParts(open)));
  };
  const open = await openWorkspaceParts({ root: temp.root, agents });
  const error = await refusal("GATE_REFUSED", () => within(1_000, open));
  assert(isEnded && error.message.includes("1200 were used, 200 too many"), error.message);
  assert(error.next!.includes("agentx workflow run 1 --budget"), error.next);
  const { entries: [{ id, content }] } = await temp.json(["inbox"]);
  assertEquals([id, content.includes("--budget")], ["STP-1-prd", true]);
  assertEquals(temp.has("docs/prd/PRD-1.md"), false);
  assertEquals(await run("prd"), ["prd: done (1)"]);
});

Deno.test("no agent is run once the budget is used up, and a reply that is there counts for nothing", async () => {
  const { temp, run, runs, workspace } = await place(GOOD);
  using _ = temp;
  const within = async (budget: number) => {
    for await (const _ of runWorkflow(1, { budget }, workflowParts(workspace)));
  };
  const { message } = await refusal("GATE_REFUSED", () => within(100));
  assert(message.includes("the budget of 100 tokens is used up"), message);
  assertEquals([runs.length, temp.has("docs/prd/PRD-1.md")], [1, true]);
  await run();
  assertEquals(temp.issue(1).status, "Done");
});

Deno.test("workflow run refuses tests that fail, and files beyond may_change", async () => {
  const scripts: Script[] = [
    document("app.txt", "broken\n"),
    (cwd, prompt, run) => {
      document("other.txt")(cwd, prompt, run);
      return document("app.txt", "works\n")(cwd, prompt, run);
    },
  ];
  const engineer: Script = (cwd, prompt, run) => scripts[run - 1](cwd, prompt, run);
  const { temp, run, workspace } = await place({ ...GOOD, engineer });
  using _ = temp;
  assertEquals((await run()).at(-1), "implement: not done (2)");
  const outcomes: StepOutcome[] = [];
  for await (const each of runWorkflow(1, {}, workflowParts(workspace))) outcomes.push(each);
  assertEquals(outcomes.map(({ reasons }) => reasons), [[
    "other.txt was changed: the role engineer may change app.txt; put it back",
  ]]);
  Deno.removeSync(`${temp.root}/.agentx/state/worktrees/1-implement/other.txt`);
  assertEquals(await run("implement"), ["implement: done (2), saved by human"]);
  const { steps } = await temp.json(["workflow", "1"]);
  assertEquals(steps.map(({ by }: { by: string }) => by).slice(2, 4), ["architect", "human"]);
});

Deno.test("workflow run runs no agent of a way that holds a command nobody agreed to", async () => {
  const { temp, run, runs } = await place(GOOD);
  using _ = temp;
  Deno.env.delete("AGENTX_TRUST"); // that of the test's own user
  temp.write(".agentx/workflows/feature.toml", FEATURE.replace("test.sh", "another.sh"));
  await refusal("UNTRUSTED", run);
  assertEquals([runs, temp.issue(1).assignee], [[], null]);
});

Deno.test("workflow run names each agent of the way that cannot do its step, before the first is run", async () => {
  const { reviewer: _reviewer, engineer: _engineer, ...scripts } = GOOD;
  const { temp, run, runs } = await place(scripts);
  using _ = temp;
  const { message } = await refusal("NOT_READY", run);
  const why = (step: string, role: string) =>
    `${step} (${role}): no agent is configured for ${role}`;
  assert(
    message.includes(`${why("implement", "engineer")}; ${why("review", "reviewer")}`),
    message,
  );
  assertEquals([runs, (await temp.json(["inbox"])).entries], [[], []]);
  assertEquals((await run("prd")).length, 1);
});

Deno.test("workflow run needs a program that is there, and that can be held to its step", async () => {
  const { temp } = await place({});
  using _ = temp;
  const refused = async (agent: object) => {
    temp.user.configure({ agents: { default: agent } });
    const { code, err } = await temp.run(["workflow", "run", "1", "--until", "prd"]);
    assertEquals([code, (await temp.json(["inbox"])).entries], [6, []]);
    return err;
  };
  const held = "prd (product-manager): it is not run for work: gemini cannot be held to paths";
  assert((await refused({ preset: "gemini" })).includes(held));
  const env = { PATH: "/nowhere" };
  assert((await refused({ preset: "claude", env })).includes("there is no claude on the PATH"));
  const own = await refused({ command: ["x"] });
  assert(own.includes('only a sandbox limits x: set its "sandbox"'), own);
  assert(own.includes("agentx config set agents.product-manager.sandbox workspace"), own);
});

Deno.test("a review sends the work back to the engineer, who learns why", async () => {
  const prompts: string[] = [];
  const engineer: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    return document("app.txt", `works ${run}\n`)(cwd, prompt, run);
  };
  const reviewer: Script = (cwd, prompt, run) => {
    document("docs/reviews/REVIEW-1.md", `# Review ${run}\n`)(cwd, prompt, run);
    return run === 1 ? "No.\nCHANGES NEEDED: name it better" : "Good.";
  };
  const { temp, run } = await place({ ...GOOD, engineer, reviewer });
  using _ = temp;
  assertEquals((await run()).slice(-4), [
    "implement: done (1)",
    "review: sent back (1)",
    "implement: done (1)",
    "review: done (1)",
  ]);
  assert(prompts[1].includes("name it better"));
  assertEquals(git(temp, "show", "agentx/1-review:app.txt"), "works 2");
});

Deno.test("an agent that only answers gives the document as its reply", async () => {
  const answer: Script = () => "# PRD\n\n## Goals\n\nIt works.";
  const { temp, run } = await place({ ...GOOD, "product-manager": answer });
  using _ = temp;
  assertEquals(await run("prd"), ["prd: done (1)"]);
  assertEquals(temp.read("docs/prd/PRD-1.md"), "# PRD\n\n## Goals\n\nIt works.\n");
});

for (
  const [what, write] of Object.entries<Script>({
    "given as a reply": () => `# PRD\n\n## Goals\n\n${LEAKY}`,
    "that its agent wrote": document("docs/prd/PRD-1.md", `# PRD\n\n## Goals\n\n${LEAKY}`),
  })
) {
  Deno.test(`a document ${what} is committed without its secrets, and that is said`, async () => {
    const { temp, workspace } = await place({ ...GOOD, "product-manager": write });
    using _ = temp;
    const notes: string[] = [];
    const parts = { ...workflowParts(workspace), notify: (note: string) => notes.push(note) };
    for await (const { outcome } of runWorkflow(1, { until: "prd" }, parts)) {
      assertEquals(outcome, "done");
    }
    const text = temp.read("docs/prd/PRD-1.md");
    assertEquals([leaks(text), text.includes("Then run the tests.")], [false, true], text);
    assertEquals(leaks(git(temp, "log", "-p", "--branches")), false);
    assert(notes.some((note) => /^Cut from .*github-token \(1\)/.test(note)), notes.join("\n"));
  });
}

Deno.test("a document that is only a secret is none, and the step begins again", async () => {
  const secret = document("docs/prd/PRD-1.md", TOKEN);
  const { temp, run } = await place({
    ...GOOD,
    "product-manager": (...given) =>
      given[2] === 1 ? secret(...given) : GOOD["product-manager"](...given),
  });
  using _ = temp;
  assertEquals(await run("prd"), ["prd: done (2)"]);
  assertEquals(leaks(git(temp, "log", "-p", "--branches")), false);
});

Deno.test("a step builds on all steps before it: on what they wrote beside their documents, and on all code", async () => {
  const architect: Script = (cwd, prompt, run) => {
    document("docs/specs/SPEC-1.md")(cwd, prompt, run);
    return GOOD.architect(cwd, prompt, run);
  };
  const { temp, run } = await place({
    ...GOOD,
    architect,
    "devops-engineer": document("deploy.sh", "true\n"),
  });
  using _ = temp;
  const deploy = '[[steps]]\nid = "deploy"\nagent = "devops-engineer"\nneeds = ["prd"]\n';
  const review = FEATURE.replace('["implement"]', '["implement", "deploy"]');
  temp.write(".agentx/workflows/feature.toml", `${deploy}${review}`);
  await run();
  assertEquals(temp.issue(1).status, "Done");
  const files = git(temp, "diff", "--name-only", "main", "agentx/1-review").split("\n");
  assertEquals(files.filter((file) => !file.startsWith("docs/")), ["app.txt", "deploy.sh"]);
  assert(files.includes("docs/specs/SPEC-1.md"), files.join());
});
