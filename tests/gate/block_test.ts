/**
 * The block NEEDS_CLARIFICATION: to the letter of seed 004, and read back.
 *
 * @module
 */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { AgentxError } from "../../lib/base/errors.ts";
import { parseBlock, renderBlock } from "../../lib/gate/block.ts";
import { BLOCKERS, checkQuestion, type GateQuestion } from "../../lib/gate/request.ts";
import { STRIPE } from "./samples.ts";
import { often } from "../often.ts";

/** As example 3 of the seed has it, on one line where the seed wraps for its page. */
const EXAMPLE = `## PM Status: NEEDS_CLARIFICATION

**Blocker Type:** Missing External Data

**Evidence of Exhaustion:**
- Codebase search: No Stripe API keys in config/, .env files, or secrets/
- Similar features: No existing payment integrations found
- Attempted inference: Cannot determine if test mode or production credentials needed

**Question:** Which Stripe environment should I configure?

**Options:**
a) Test mode (use Stripe test API keys for development/staging)
b) Production mode (use production API keys)
c) Both (configurable via environment variable)

**Safe Fallback:** If no response within 5 minutes, I will proceed with option (a) because it's safer for development and won't process real payments. This assumption will be logged with low risk.

**Status:** AWAITING_CLARIFICATION (auto-proceed with fallback after 5 minutes)
`;

Deno.test("renderBlock() writes what the seed writes", () => {
  assertEquals(renderBlock(checkQuestion(STRIPE), "5 minutes"), EXAMPLE);
});

/** As it stands in the seed, wrapped, with a line of evidence that has no name. */
const WRAPPED = `I have looked everywhere.

\`\`\`markdown
## PM Status: NEEDS_CLARIFICATION

**Blocker Type:** Mutually Exclusive Requirements

**Evidence of Exhaustion:**
- Codebase search: Found JWT utilities in /api/auth.py, no existing auth flow
- Similar features: No authentication currently implemented
- Attempted inference: Request contains both "passwordless" and "set passwords"
- Cannot determine which approach user intends

**Question:** Which authentication method should I implement?

**Options:**
a) Passwordless only (magic links, biometric, no passwords)
b) Password-based only (traditional username/password)
c) Both methods (passwordless as primary + password fallback)

**Safe Fallback:** If no response within 5 minutes, I will proceed with option (b)
password-based because it's more widely understood and has lower implementation risk.
This assumption will be logged with medium risk.

**Status:** AWAITING_CLARIFICATION (auto-proceed with fallback after 5 minutes)
\`\`\`

That is all: Question: none.
`;

Deno.test("parseBlock() reads example 1 of the seed, fence and text around it included", () => {
  assertEquals(parseBlock(WRAPPED), {
    phase: "planning",
    blockerType: "mutually_exclusive_requirements",
    evidence: {
      codebaseSearch: "Found JWT utilities in /api/auth.py, no existing auth flow",
      similarFeatures: "No authentication currently implemented",
      attemptedInference: 'Request contains both "passwordless" and "set passwords" ' +
        "Cannot determine which approach user intends",
      investigator: null,
    },
    question: "Which authentication method should I implement?",
    options: [
      "Passwordless only (magic links, biometric, no passwords)",
      "Password-based only (traditional username/password)",
      "Both methods (passwordless as primary + password fallback)",
    ],
    fallback: {
      option: "b",
      reasoning: "it's more widely understood and has lower implementation risk",
      confidence: "medium",
      risk: "medium",
    },
    timeout: "5m",
  });
});

Deno.test("parseBlock() reads what agents make of the block", () => {
  const loose = EXAMPLE.replaceAll("**", "")
    .replace("## PM Status", "### Status")
    .replace(/^- /gm, "* ")
    .replace(/^([abc])\)/gm, "- ($1)")
    .replace("option (a)", "a")
    .replace(/This assumption .*$/m, "This will be logged as high-confidence assumption.")
    .replaceAll("\n", "\r\n> ");
  const strict = parseBlock(EXAMPLE)!;
  assertEquals(parseBlock(loose), {
    ...strict,
    fallback: { ...strict.fallback, risk: "medium", confidence: "high" },
  });
});

Deno.test("parseBlock() finds no block where there is none, and the last one of several", () => {
  for (const prose of ["", "NEEDS_CLARIFICATION", "Status: DONE", "## PM Decision: SIMPLE MODE"]) {
    assertEquals(parseBlock(prose), undefined);
  }
  const last = EXAMPLE.replace("Which Stripe", "Which other");
  assertEquals(
    parseBlock(`${EXAMPLE}\n${last}`)?.question,
    "Which other environment should I configure?",
  );
  assertEquals(parseBlock("## PM Status: NEEDS_CLARIFICATION")?.options, []);
});

/** Texts with all that the block is made of. */
const pieces = fc.constantFrom(
  ..."a) b) **Options:** **Question:** Question: - > | # ## ``` ** _ . .. because option (a) proceed with",
  ...["This assumption will be logged with low risk.", "\n", "\r\n", "\u2028", "Status:", "    "],
);
const part = fc.array(fc.oneof(fc.string({ unit: "grapheme", maxLength: 8 }), pieces), {
  minLength: 1,
  maxLength: 6,
}).map((parts) => parts.join(" ")).filter((text) => text.trim() !== "" && text.isWellFormed());
const text = (max: number) => part.map((text) => `x ${text}`.slice(0, max).toWellFormed());

const question = fc.record({
  blockerType: fc.constantFrom(...Object.keys(BLOCKERS)),
  evidence: fc.record({
    codebaseSearch: text(300),
    similarFeatures: text(300),
    attemptedInference: text(300),
    investigator: fc.option(text(300)),
  }),
  question: text(300),
  options: fc.uniqueArray(text(100), {
    minLength: 2,
    maxLength: 4,
    selector: (one) => one.toLowerCase().replace(/\s+/g, " ").trim(),
  }),
  reasoning: text(300),
  risk: fc.constantFrom("high", "medium", "low"),
  wait: fc.option(fc.constantFrom("5 minutes", "90 seconds", "1 hour")),
});

Deno.test("parseBlock() reads back what renderBlock() writes, whatever the texts", () => {
  fc.assert(
    fc.property(question, fc.nat(3), ({ reasoning, risk, wait, ...given }, index) => {
      const option = "abcd"[index % given.options.length];
      const whole: GateQuestion = {
        ...STRIPE,
        ...given,
        fallback: { option, reasoning, confidence: "high", risk },
      };
      const request = checkQuestion(whole);
      const parsed = parseBlock(`Some prose.\n\n${renderBlock(request, wait)}\nMore prose.`);
      assert(parsed !== undefined);
      assertEquals(
        parsed,
        {
          phase: "planning",
          blockerType: request.blockerType,
          evidence: request.evidence,
          question: request.question,
          options: request.options.map((one) => one.text),
          fallback: {
            option,
            reasoning: request.fallback.reasoning,
            confidence: "medium",
            risk,
          },
          timeout: wait === null ? "never" : wait.replace(/ (.).*/, "$1"),
        } as typeof parsed,
      );
    }),
    often(500),
  );
});

Deno.test("parseBlock() reads the type of a blocker by its name in JSON, too", () => {
  for (const name of ["blocker_type:", "**blocker_type:**", "### blocker_type:"]) {
    const block = parseBlock(
      `Status: NEEDS_CLARIFICATION\n${name} security_decision\nQuestion: Which?`,
    );
    assertEquals([block?.blockerType, block?.question], ["security_decision", "Which?"], name);
  }
});

Deno.test("checkQuestion() names all that is wrong at once", () => {
  const fallback = { ...STRIPE.fallback, option: "d", confidence: "sure", risk: "none" };
  const summaryOf = (question: GateQuestion) => {
    const { summary, details } = assertThrows(() => checkQuestion(question), AgentxError);
    return [summary, (details as { field: string }).field];
  };
  assertEquals(summaryOf({ ...STRIPE, question: " ", fallback }), [
    'Cannot use " " as question: it is empty; ' +
    'Cannot use "d" as fallback: it is not one of the options a, b, c; ' +
    'Cannot use "sure" as confidence: it must be one of high, medium, low; ' +
    'Cannot use "none" as risk: it must begin with one of high, medium, low',
    "question",
  ]);
  assertEquals(summaryOf({ ...STRIPE, options: ["One"] }), [
    "Cannot offer 1 options: a question to the human has 2 to 4",
    "options",
  ]);
});
