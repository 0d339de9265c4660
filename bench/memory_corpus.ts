// Observations for the benches: the words of real changelogs and READMEs, as often as they occur
// there, and beside them the names that every codebase has of its own.

import { estimateTokens, type Observation, summaryOf } from "../lib/memory/schema.ts";
import { termsOf } from "../lib/memory/index/tokens.ts";
import { randomNumbers } from "./random_numbers.ts";

const PROSE = new URL("../tests/redact/prose/dev/", import.meta.url).pathname;
const AGENTS = ["architect", "engineer", "reviewer", "tester", "devops-engineer", "data-scientist"];
const CATEGORIES = ["decision", "code-change", "error", "key-fact"] as const;
const PER_SESSION = 20;
const SESSIONS_PER_ISSUE = 10;
const START_MS = Date.parse("2025-01-01T00:00:00.000Z");
const MINUTE_MS = 60_000;

/** Every word of the prose, in its order: drawing from it draws by frequency. */
const WORDS: string[] = Array.from(Deno.readDirSync(PROSE), ({ name }) => name).sort()
  .flatMap((name) => Deno.readTextFileSync(PROSE + name).match(/[A-Za-z][A-Za-z'-]*/g) ?? []);

/** Observations of about 60 words, always the same. */
export function corpus(count: number, first = 0): Observation[] {
  return Array.from({ length: count }, (_, index) => observationAt(first + index));
}

function observationAt(index: number): Observation {
  const random = randomNumbers(index + 1);
  const session = Math.floor(index / PER_SESSION);
  const issueNumber = 1 + Math.floor(session / SESSIONS_PER_ISSUE);
  const agent = AGENTS[session % AGENTS.length];
  const timestampMs = START_MS + index * MINUTE_MS;
  // A session has a subject: its observations share words.
  const subjects = subjectsOf(session);
  const words = Array.from({ length: 40 + Math.floor(random() * 40) }, () => {
    const choice = random();
    if (choice < 0.15) return subjects[Math.floor(random() * subjects.length)];
    if (choice < 0.25) return nameAt(random);
    return wordAt(random);
  });
  const content = words.join(" ").slice(0, 2_000);
  return {
    id: `obs-${agent}-${issueNumber}-${timestampMs}-${
      (index % 36 ** 6).toString(36).padStart(6, "0")
    }`,
    agent,
    issueNumber,
    category: CATEGORIES[Math.floor(random() * CATEGORIES.length)],
    content,
    summary: summaryOf(content),
    tokens: estimateTokens(content),
    timestamp: new Date(timestampMs).toISOString(),
    sessionId: `${agent}-${START_MS + session}-session`,
  };
}

/**
 * @returns questions of four words, always the same, each about a session of the corpus;
 *   without stop words, which only cost the peers that have no list of them
 */
export function queries(count: number, size: number): string[] {
  const random = randomNumbers(424_242);
  return Array.from({ length: count }, () => {
    const session = Math.floor(random() * size / PER_SESSION);
    const subjects = subjectsOf(session);
    const pick = () => subjects[Math.floor(random() * subjects.length)];
    const telling = (draw: () => string): string => {
      const word = draw();
      return termsOf(word).length > 0 ? word : telling(draw);
    };
    return [() => wordAt(random), pick, pick, () => wordAt(random)].map(telling).join(" ");
  });
}

function subjectsOf(session: number): string[] {
  const random = randomNumbers(1_000_003 + session);
  return Array.from(
    { length: 12 },
    (_, index) => index % 3 === 0 ? nameAt(random) : wordAt(random),
  );
}

/** A name of the codebase: two words, of which there are many more than words. */
function nameAt(random: () => number): string {
  return wordAt(random) + wordAt(random);
}

function wordAt(random: () => number): string {
  return WORDS[Math.floor(random() * WORDS.length)];
}
