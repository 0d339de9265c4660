/**
 * What a session does all day: it takes an issue, asks and follows up, answers what others ask its role,
 * and comes back to whatever was killed.
 *
 * @module
 */

import { isUnanswered } from "../../../lib/clarify/schema.ts";
import { type Asked, type Book, type Session, wordOf } from "./session.ts";

/** Whom a role may ask, from downstream to upstream; only upstream it may wait for the answer. */
const ROLES = ["engineer", "architect", "product-manager"];

/** The rules of the script, as a workflow: everybody may ask everybody else. */
export const WORKFLOW: string = ROLES.map((role) =>
  `[[steps]]
id = "work-of-${role}"
agent = "${role}"
can_clarify = ${JSON.stringify(ROLES.filter((other) => other !== role))}
`
).join("\n");

/** As many as the hub lets pass is five. */
const MAX_WORDS = 4;

/** Far more than any answer takes, however slow the machine is. */
const ORPHANED_MS = 120_000;

/** The words with which a command names the question that it has asked. */
const ASKED = /(CLR-\d+-\d+) (?:asks|waits for an answer|is answered)/;

/** Options of {@linkcode SessionScript}. */
export interface SessionScriptOptions {
  session: Session;
  random: () => number;
  /** The role that a command answers for; sessions of it do so, too, now and then. */
  configured: string;
}

/** Of what a command answers, the others have to be run: nobody else helps them out. */
function isAlsoByHand(word: string): boolean {
  return Number(word.slice(1)) % 3 === 0;
}

/** One session at work. */
export class SessionScript {
  readonly session: Session;
  readonly #random: () => number;
  readonly #configured: string;
  readonly #book: Book;

  constructor({ session, random, configured }: SessionScriptOptions) {
    this.session = session;
    this.#random = random;
    this.#configured = configured;
    this.#book = session.book;
  }

  /** Takes an issue, works on it, and leaves it, mostly with something left open. */
  async turn(): Promise<void> {
    const { session } = this;
    for (const asked of this.#own()) asked.isLeft = true;
    session.said = undefined;
    const issue = await this.#claim();
    await session.insist(["hook", "start", session.role, issue]);
    session.said = "at work";
    for (let left = this.#chance(0.5) ? 2 : 1; left > 0; left--) {
      await this.#clearUp(issue);
      for (const asked of this.#ofOther("finished")) await this.#takeOver(asked);
      for (const asked of this.#ofOther("at work")) await this.#trespass(session, asked);
    }
    await this.answerOthers();
    if (this.#chance(0.6)) await session.insist(["issue", "close", issue]);
    this.#book.counts.turns++;
    if (this.#chance(0.5)) return;
    await this.finish();
    for (let rest = 0; rest < 8; rest++) await this.answerOthers(); // another may go on meanwhile
  }

  /** Whoever finishes gives its issue back. */
  async finish(): Promise<void> {
    const { claims } = this.#book;
    for (const [issue, name] of claims) if (name === this.session.name) claims.delete(issue);
    this.session.said = undefined;
    await this.session.insist(["hook", "finish", this.session.role]);
    this.session.said = "finished";
  }

  /** Answers what is asked of its role, as any session of it may. */
  async answerOthers(): Promise<void> {
    const { session } = this;
    for (const record of await session.list()) {
      if (record.to !== session.role || !isUnanswered(record)) continue;
      const word = wordOf(record.thread.findLast(({ type }) => type === "question")!.body);
      if (session.role === this.#configured && !isAlsoByHand(word)) continue;
      const round = ["--round", `${record.round}`];
      const answer = ["clarify", "answer", record.id, ...round, `Answer to ${word}`];
      const { code } = await session.run(answer, [0, 6]); // somebody may be faster
      if (code === 0) this.#book.counts.byHand++;
    }
  }

  /** Gets the answer to the last question, by whichever way there is. */
  async answerTo(asked: Asked): Promise<void> {
    const { session } = this;
    const word = asked.words.at(-1)!;
    const deadlineMs = performance.now() + ORPHANED_MS;
    while (!this.#book.returned.has(word)) {
      if (performance.now() > deadlineMs) {
        this.#book.faults.push(`${asked.id}: nobody answers ${word}`);
        return;
      }
      await this.answerOthers();
      const isRetry = await this.#isConfigured(asked) && this.#chance(0.4);
      const { code, out, isKilled } = isRetry
        ? await session.run(["clarify", "retry", asked.id], [0, 6]) // another may be on it
        : await session.run(["clarify", "wait", asked.id, "--timeout", "1500ms"], [0, 124]);
      if (isKilled) continue;
      if (code === 0) this.#told(asked, out);
      if (code === 7) return; // which is a fault, and noted as one
    }
  }

  async #clearUp(issue: string): Promise<void> {
    const rank = ROLES.indexOf(this.session.role);
    const to = this.#oneOf(ROLES.filter((role) => role !== this.session.role));
    const isBlocking = ROLES.indexOf(to) > rank && this.#chance(0.7);
    const asked = await this.#ask(issue, to, isBlocking);
    if (!isBlocking && this.#chance(0.2)) return;
    await this.answerTo(asked);
    if (this.#chance(0.5)) {
      await this.#askAgain(asked);
      await this.answerTo(asked);
    }
    if (this.#chance(0.6)) await this.#resolve(asked);
  }

  async #claim(): Promise<string> {
    const { session } = this;
    while (true) {
      const { code, out, isKilled } = await session.run(
        ["ready", "--claim", session.role, "--json"],
        [0, 4],
      );
      if (isKilled) continue;
      if (code === 4) {
        await session.run(["issue", "create", "--title", `Work of ${session.name}`]);
        continue;
      }
      const { number } = JSON.parse(out).issue;
      const other = this.#book.claims.get(number) ?? session.name;
      this.#book.claims.set(number, session.name);
      if (other !== session.name) this.#book.faults.push(`#${number}: ${other} has it, too`);
      return `${number}`;
    }
  }

  async #ask(issue: string, to: string, isBlocking: boolean): Promise<Asked> {
    const { session } = this;
    const word = this.#book.newWord();
    const about = ["--issue", issue, "--from", session.role, "--to", to, "--topic", `On ${word}`];
    const how = isBlocking ? [] : ["--non-blocking"];
    const argv = ["clarify", "ask", ...about, ...how, `Which, ${word}?`];
    while (true) {
      const { code, out, err, isKilled } = await session.run(argv, [0, 7]);
      const id = ASKED.exec(err + out)?.[1] ?? await this.#findAsked(issue, word);
      if (id === undefined && isKilled) continue; // too early
      if (id === undefined) throw new Error(`Nothing was asked: ${err}`);
      const asked = { id, asker: session, words: [word], isLeft: false, isResolved: false };
      if (this.#book.asked.has(id)) this.#book.faults.push(`${id}: it was given twice`);
      this.#book.asked.set(id, asked);
      if (!isKilled && code === 0 && isBlocking) this.#told(asked, out);
      return asked;
    }
  }

  async #findAsked(issue: string, word: string): Promise<string | undefined> {
    const records = await this.session.list("--issue", issue);
    return records.find(({ thread }) => wordOf(thread[0].body) === word)?.id;
  }

  /** Gives false where it may not, which is right only for what another session asked. */
  async #askAgain(asked: Asked, codes = [0, 7]): Promise<boolean> {
    const word = this.#book.newWord();
    while (true) {
      const argv = ["clarify", "ask", asked.id, `And then, ${word}?`];
      const { code, out, isKilled } = await this.session.run(argv, codes);
      if (!isKilled && code === 6) return false;
      const isAsked = !isKilled ||
        (await this.session.recordOf(asked)).thread.some(({ body }) => wordOf(body) === word);
      if (!isAsked) continue;
      asked.words.push(word);
      asked.asker = this.session;
      asked.isLeft = false;
      if (!isKilled && code === 0) this.#told(asked, out);
      return true;
    }
  }

  /** Goes on with what a session of its role has asked that has finished since, and may come back. */
  async #takeOver(asked: Asked): Promise<void> {
    const first = asked.asker;
    if ((await this.session.recordOf(asked)).status !== "answered") return;
    if (!await this.#askAgain(asked, [0, 6, 7])) return;
    this.#book.counts.takenOver++;
    await this.answerTo(asked);
    await this.#trespass(first, asked);
    await this.#resolve(asked);
  }

  /** What a session has asked that is at work is not for another to end, also if that asked first. */
  async #trespass(other: Session, asked: Asked): Promise<void> {
    const { name } = asked.asker;
    const { code } = await other.run(["clarify", "resolve", asked.id, "Mine."], [0, 6]);
    if (code !== 0) return;
    asked.isResolved = true;
    if (asked.asker.said === "at work" && !asked.isLeft) {
      this.#book.faults.push(`${asked.id}: ${other.name} ends what ${name} has asked`);
    }
  }

  async #resolve(asked: Asked): Promise<void> {
    while (!asked.isResolved) {
      const { isKilled } = await this.session.run(["clarify", "resolve", asked.id, "Clear."]);
      asked.isResolved = !isKilled ||
        (await this.session.recordOf(asked)).status === "resolved";
    }
  }

  #told({ id, words }: Asked, out: string): void {
    const word = words.at(-1)!;
    if (new RegExp(`Answer to ${word}\\b`).test(out)) this.#book.returned.add(word);
    else this.#book.faults.push(`${id}: the answer to ${word} is\n${out}`);
  }

  async #isConfigured(asked: Asked): Promise<boolean> {
    return (await this.session.recordOf(asked)).to === this.#configured;
  }

  #own(): Asked[] {
    return [...this.#book.asked.values()].filter(({ asker }) => asker === this.session);
  }

  /** The latest open question of another session of its role that has its answer, if there is one. */
  #ofOther(said: Session["said"]): Asked[] {
    return [...this.#book.asked.values()].filter(({ asker, words, isLeft, isResolved }) =>
      asker !== this.session && asker.role === this.session.role && asker.said === said &&
      words.length < MAX_WORDS && this.#book.returned.has(words.at(-1)!) && !isLeft && !isResolved
    ).slice(-1);
  }

  #chance(of: number): boolean {
    return this.#random() < of;
  }

  #oneOf<T>(list: readonly T[]): T {
    return list[Math.trunc(this.#random() * list.length)];
  }
}
