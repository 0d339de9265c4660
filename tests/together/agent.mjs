// Stands in for a coding agent in every role, as a command of one's own: prompt on standard input, reply on
// standard output; with --acp, over the Agent Client Protocol. At first each does what an agent should not be believed: it asks a person, replies with half a
// document, changes nothing, changes a comment, adds a test that proves nothing.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** The prompt of a turn, and how it is answered. */
async function acpTurn() {
  const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (method === "session/prompt") {
      return [params.prompt[0].text, (text) => {
        const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
        send({ method: "session/update", params: { sessionId: "s", update } });
        send({ id, result: { stopReason: "end_turn" } });
      }];
    }
    send({ id, result: method === "initialize" ? { protocolVersion: 1 } : { sessionId: "s" } });
  }
}

const [prompt, answer] = process.argv[2] === "--acp"
  ? await acpTurn()
  : [readFileSync(0, "utf8"), console.log];
const [, role] = /You are the agent "([\w-]+)/.exec(prompt) ?? [];
const [, issue, step] = /Your step of issue #(\d+) is "(\w+)"/.exec(prompt) ?? [];

const QUESTION = `## PM Status: NEEDS_CLARIFICATION

**Blocker Type:** Missing External Data

**Evidence of Exhaustion:**
- Codebase search: grep for currency in src, nothing found
- Similar features: the sum is the only one
- Attempted inference: the title names no currency
- Investigator findings: no document names one

**Question:** Which currency do prices have?

**Options:**
a) Euro
b) Dollar

**Safe Fallback:** If no response within 5 minutes, I will proceed with option (a) because the shop is in Europe. This assumption will be logged with low risk.

**Status:** AWAITING_CLARIFICATION (auto-proceed with fallback after 5 minutes)`;

/** The template of the prompt, filled in. */
function document() {
  const [, quoted] = /## Template\n\n((?:>.*\n)+)/.exec(prompt);
  return quoted.replaceAll(/^> ?/gm, "").replaceAll(/^(## .*)$/gm, "$1\n\nWritten.")
    .replaceAll(/(?<=\*\*: )<.*>/g, "Yes").replaceAll("- [ ]", "- [x]");
}

function write(path, text) {
  mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
  writeFileSync(path, text);
}

/** Asks another agent, from inside of the sandbox. */
function ask(to, question) {
  const [program, ...words] = process.env.TOGETHER_AGENTX.split(" ");
  const args = [...words, "ask", to, "--issue", issue, "--from", role, question];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status === 0) return stdout;
  console.error(`ask ended with ${status}: ${stderr.trim().replaceAll("\n", " / ")}`);
  process.exit(1);
}

const TEST = (name, call, wanted) =>
  `import assert from "node:assert";
import test from "node:test";
import { ${name} } from "../src/price.js";

test("${name}", () => assert.equal(${call}, ${wanted}));
`;

const STEPS = {
  prd() {
    if (issue === "3") return QUESTION.replace("Missing External Data", "Security Decision");
    if (!prompt.includes("You asked (ASK-")) return QUESTION;
    return prompt.includes("the heading") ? document() : "# PRD";
  },
  architecture() {
    write(`docs/adr/ADR-${issue}.md`, document());
    return "Written.";
  },
  ux: () => "NOT NEEDED: it has no screen",
  implement() {
    if (!prompt.includes("changed no file")) {
      const answer = ask("architect", "Cents or euros?");
      return `I could not do it, sorry. ${answer}`;
    }
    const source = readFileSync("src/price.js", "utf8");
    write(
      "src/price.js",
      `${source}\nexport const total = (prices) => prices.reduce((a, b) => a + b, 0);\n`,
    );
    write("test/total.test.js", TEST("total", "total([1, 2, 3])", 6));
    return "Done.";
  },
  fix() {
    const source = readFileSync("src/price.js", "utf8");
    if (!prompt.includes("no test that failed before")) {
      write("src/price.js", `// Adds.\n${source}`);
      return "Fixed.";
    }
    if (!prompt.includes("passes without the change, too")) {
      write("test/sum.test.js", TEST("sum", "sum(0, 0)", 0));
      return "Fixed.";
    }
    write("src/price.js", source.replace("a - b", "a + b"));
    write("test/sum.test.js", TEST("sum", "sum(1, 2)", 3));
    return "Fixed.";
  },
  review() {
    if (issue === "1") ask("engineer", "Is it complete?");
    if (!/Compared with commit \w+[^]*src\/price\.js \+\d+ -\d/.test(prompt)) {
      return "CHANGES NEEDED: nothing says what was changed";
    }
    write(`docs/reviews/REVIEW-${issue}.md`, document());
    return "Good.";
  },
};

answer(step === undefined ? "Cents, as integers." : STEPS[step]());
