// Sends local changes of issues to GitHub, and creates on GitHub the issues that were created locally.
//
// Before a change, it reads the issue again and writes only fields that nobody changed on GitHub meanwhile. After a
// change, it reads the issue again, because only GitHub knows the result. If a change gets no answer, it checks whether
// GitHub made the change, and otherwise sends it again.

import { type JsonObject, stringOf } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { isoTime } from "../base/time.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { replaceReferences } from "../work/issue/dependencies.ts";
import { DONE } from "../work/issue/issue.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { type GitHubClient, whyRefused } from "./client.ts";
import { requestsFor } from "./edit_requests.ts";
import { type Edit, editOf } from "./edits.ts";
import { withoutMentions } from "./mentions.ts";
import type { Outbox } from "./outbox.ts";
import { SETTLE_MS, waitToPost, waitToSettle } from "./pace.ts";
import { issueMarker, markedBody } from "./posts.ts";
import { blockersOf } from "./read.ts";
import { issuesFrom, numberThere } from "./record.ts";
import type { Target } from "./target.ts";

/** Dependencies of {@linkcode sendEdits}. */
export interface EditParts {
  client: GitHubClient;
  outbox: Outbox;
  issues: IssueStore;
  target: Target;
  /** Earlier names of the repository. */
  names: readonly string[];
  /** The issue types that have a workflow. */
  types: readonly string[];
  /** The id of the state. */
  birth: string;
  /** Called with the number of issues updated so far, and the number of all. */
  onProgress?: (sent: number, of: number) => void;
  signal?: AbortSignal;
}

/** The result of {@linkcode sendEdits}. */
export interface SentEdits {
  /** The local numbers of the issues that were changed on GitHub. */
  sent: number[];
  /** One sentence for each change that was not sent. */
  problems: string[];
}

/** The author of the lines that record an accepted edit. */
const WRITER = "github";

/** Maximum attempts for a change without an answer. */
const MAX_TRIES = 3;

/** Maximum rounds of reading and changing one issue. */
const MAX_ROUNDS = 8;

/** If this many issues get no answer, GitHub is out of order and the run stops. */
const MAX_SILENT = 3;

/** Maximum difference allowed between the clocks of GitHub and this machine. */
const CLOCKS_MS = 60 * 60_000;

/** Statuses for an issue that was deleted or moved. */
const GONE = [301, 404, 410];

/**
 * Statuses with which GitHub refuses one change for good. Any other status may be temporary and stops the whole run.
 */
const OF_ONE = [404, 410, 422];

/** The result of one request. */
type Outcome = "done" | "unclear" | { refused: string };

/** Sends all changes that GitHub does not have. Throws `SYNC_ERROR`, `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`. */
export async function sendEdits(parts: EditParts): Promise<SentEdits> {
  return await new Sender(parts).all();
}

class Sender {
  readonly #parts: EditParts;
  readonly #path: string;
  readonly #problems: string[] = [];

  constructor(parts: EditParts) {
    this.#parts = parts;
    this.#path = `/repos/${parts.target.repository}`;
  }

  async all(): Promise<SentEdits> {
    const { client, outbox, issues, onProgress } = this.#parts;
    const made = this.#due((known) => this.#isMadeHere(known) ? wordsOf(known) : undefined);
    const changed = this.#due((known) =>
      this.#numberThere(known) === undefined ? undefined : editOf(known)
    );
    const of = made.length + changed.length;
    if (of > 0 && !(await outbox.shape(client)).mayWrite) {
      this.#problems.push(`The token may not write there: changes of ${of} issues stay here`);
      return { sent: [], problems: this.#problems };
    }
    const sent = new Set<number>();
    let silent = 0;
    const each = async (all: readonly number[], work: (number: number) => Promise<boolean>) => {
      for (const number of all) {
        try {
          if (await work(number)) sent.add(number);
        } catch (error) {
          if (!this.#isSilence(error) || ++silent === MAX_SILENT) throw error;
          this.#problems.push(error.summary);
        }
        onProgress?.(sent.size, of);
      }
    };
    await each(made, (number) => this.#make(number));
    const isThere = (number: number) => this.#numberThere(issues.getKnown(number)) !== undefined;
    await each([...changed, ...made.filter(isThere)], (number) => this.#send(number));
    return { sent: [...sent], problems: this.#problems };
  }

  /** Returns the issues with something to send; reports again the changes that GitHub refused before. */
  #due(of: (known: KnownIssue) => unknown): number[] {
    const { issues, outbox } = this.#parts;
    return Array.from(issues.view().byNumber.values()).flatMap((known) => {
      const what = of(known);
      if (what === undefined) return [];
      const parked = outbox.parkedEdit(known.issue.uid);
      if (parked?.what !== JSON.stringify(what)) return [known.issue.number];
      this.#problems.push(parked.why);
      return [];
    });
  }

  /**
   * Whether this clone has to create an issue on GitHub: the clone created it, or the issue is open and older than
   * GitHub mode in this clone. An issue of another clone gets its GitHub number with the next read.
   */
  #isMadeHere({ issue, lines }: KnownIssue): boolean {
    const { outbox, issues } = this.#parts;
    const { id, time } = lines.find(({ op }) => op === "create")!;
    const isOlder = time < (outbox.state()?.since ?? time);
    return issue.source === undefined &&
      (isOlder ? issue.status !== DONE : issues.view().own.has(id));
  }

  /** Creates an issue on GitHub; its remaining fields follow as an edit. */
  async #make(here: number): Promise<boolean> {
    const { client, issues, outbox, birth, target, signal } = this.#parts;
    const known = issues.getKnown(here);
    const { uid, title, body } = known.issue;
    const text = withoutMentions(this.#numbersThere(body) ?? ""); // if a number is missing, an edit adds it later
    const made = { title, body: (text + await issueMarker(uid, birth)).trimStart() };
    const park = async (why: string) => {
      const parked = `#${here} is not made on GitHub: ${why}`;
      await outbox.parkEdit(uid, { what: JSON.stringify(wordsOf(known)), why: parked });
      this.#problems.push(parked);
      return false;
    };
    if (await holdsSecret(made)) return await park("its text holds a secret");
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const tried = outbox.state()?.making?.[uid];
      const found = tried === undefined ? undefined : await this.#findMade(uid, tried);
      if (found === undefined) {
        await waitToPost(target.host, signal);
        await outbox.noteMaking(uid, { isThere: false });
      }
      const sent = found === undefined
        ? await client.send("POST", `${this.#path}/issues`, made)
        : { status: 201, body: found };
      if (sent === "unclear") continue;
      if (sent.status === 201) {
        await this.#take(sent.body);
        await outbox.noteMaking(uid, { isThere: true });
        return true;
      }
      const why = whyRefused(sent);
      if (!OF_ONE.includes(sent.status)) throw client.refusal(`it refuses a new issue (${why})`);
      return await park(why);
    }
    throw client.failure(`it gives no whole answer to the new issue #${here}`);
  }

  /** Finds the issue that an attempt without an answer created. */
  async #findMade(uid: string, tried: string): Promise<JsonObject | undefined> {
    const { client, birth, signal } = this.#parts;
    await waitToSettle(tried, signal);
    const since = encodeURIComponent(isoTime(Date.parse(tried) - CLOCKS_MS));
    const list = `${this.#path}/issues?state=all&sort=created&direction=desc&per_page=100&since=`;
    const { items } = await client.list(list + since);
    for (const item of items.toReversed()) {
      const marked = await markedBody(stringOf(item.body) ?? "", birth);
      if (marked.isOurs && marked.uid === uid) return item;
    }
    return undefined;
  }

  /** Whether GitHub gave no answer about one issue; the run then goes on with the other issues. */
  #isSilence(error: unknown): error is AgentxError {
    return error instanceof AgentxError && error.code === "SYNC_ERROR" &&
      this.#parts.client.notBefore === null && error.details.isRefused !== true;
  }

  #numberThere({ issue }: KnownIssue): number | undefined {
    const { target, names } = this.#parts;
    return numberThere(issue, [target.repository, ...names]);
  }

  /** Sends the changes of one issue; returns whether something was changed on GitHub. */
  async #send(here: number): Promise<boolean> {
    const { client, issues, outbox, signal } = this.#parts;
    const known = issues.getKnown(here);
    const number = this.#numberThere(known)!;
    let isSent = false;
    let last = "";
    let silent = 0;
    for (let round = 0; round < MAX_ROUNDS && silent < MAX_TRIES; round++) {
      const fresh = await client.find(`${this.#path}/issues/${number}`, GONE);
      if (fresh === undefined) return isSent; // a whole read reports the missing issue
      const blockers = await this.#take(fresh);
      const edit = editOf(issues.getKnown(here));
      if (edit === undefined) return isSent;
      const what = JSON.stringify(edit);
      const outcome = what === last
        ? { refused: `it did not take ${Object.keys(edit).join(" and ")}` }
        : await this.#change(edit, number, { fresh, blockers });
      if (outcome === "unclear") {
        silent++;
        await sys.wait(SETTLE_MS, signal);
      } else if (outcome === "done") {
        isSent = true;
        last = what;
      } else {
        const why = `#${here} is not changed on GitHub: ${outcome.refused}`;
        await outbox.parkEdit(known.issue.uid, { what, why });
        this.#problems.push(why);
        return isSent;
      }
    }
    throw client.failure(`it gives no whole answer to a change of #${here}`);
  }

  /** Imports GitHub's current version of an issue; returns the issues that it waits for. */
  async #take(issue: JsonObject): Promise<JsonObject[]> {
    const { client, issues } = this.#parts;
    const blockers = await blockersOf(issue, this.#path, client);
    const records = await issuesFrom([{ issue, blockers, comments: [] }], this.#parts);
    await issues.import(records, { by: WRITER, follows: true });
    return blockers;
  }

  async #change(
    edit: Edit,
    number: number,
    { fresh, blockers }: { fresh: JsonObject; blockers: JsonObject[] },
  ): Promise<Outcome> {
    const { client, outbox, issues, types, birth } = this.#parts;
    const there = stringOf(fresh.body) ?? "";
    const { marker } = await markedBody(there, birth);
    const text = edit.body === undefined ? "" : this.#numbersThere(edit.body);
    if (text === undefined) return { refused: "its body names an issue that is not there" };
    const body = edit.body === undefined ? undefined : withoutMentions(text, there) + marker;
    if (await holdsSecret([edit, body, body === undefined ? "" : there])) {
      return { refused: "its text holds a secret; change it there" };
    }
    const requests = await requestsFor(edit, {
      ...{ number, fresh, blockers, body, types, shape: await outbox.shape(client) },
      milestone: (title) => this.#milestone(title),
      idOf: (ref) => this.#idOf(ref),
      numberOf: (uid) => {
        const known = issues.view().byUid.get(uid);
        return known && this.#numberThere(known);
      },
    });
    if (requests.length === 0) return { refused: `it has no place for ${Object.keys(edit)}` };
    for (const { method, path, body } of requests) {
      const outcome = await this.#request(method, this.#path + path, body);
      if (outcome !== "done") return outcome;
    }
    return "done";
  }

  /** Returns the number of a milestone; creates it if it is missing. */
  async #milestone(title: string): Promise<number | undefined> {
    const path = `${this.#path}/milestones`;
    for (let tries = 0; tries < 2; tries++) {
      const { items } = await this.#parts.client.list(`${path}?state=all&per_page=100`);
      const found = items.find((each) => each.title === title);
      if (found !== undefined) return Number(found.number);
      if (tries === 0) await this.#request("POST", path, { title });
    }
    return undefined;
  }

  /** Returns GitHub's id of the local issue `#12`, or of `acme/other#12`. */
  async #idOf(ref: string): Promise<number | undefined> {
    const { client, issues } = this.#parts;
    const [, other, number] = /^(.*?)#?(\d+)$/.exec(ref) ?? [];
    const known = other === "" ? issues.view().byNumber.get(Number(number)) : undefined;
    const there = other === "" ? known && this.#numberThere(known) : Number(number);
    if (there === undefined) return undefined;
    const path = other === "" ? this.#path : `/repos/${other}`;
    const found = await client.find(`${path}/issues/${there}`, GONE);
    return typeof found?.id === "number" ? found.id : undefined;
  }

  /** Returns a body with GitHub's issue numbers; undefined if it names an issue that is not on GitHub. */
  #numbersThere(body: string): string | undefined {
    const { byNumber } = this.#parts.issues.view();
    let isWhole = true;
    const text = replaceReferences(body, (number) => {
      const known = byNumber.get(number);
      const there = known && this.#numberThere(known);
      isWhole &&= there !== undefined;
      return `#${there}`;
    });
    return isWhole ? text : undefined;
  }

  async #request(method: Method, path: string, body?: JsonObject): Promise<Outcome> {
    const { client, target, signal } = this.#parts;
    await waitToPost(target.host, signal);
    const sent = await client.send(method, path, body);
    if (sent === "unclear") return sent;
    if (sent.status < 300) return "done";
    const why = whyRefused(sent);
    if (!OF_ONE.includes(sent.status)) throw client.refusal(`it refuses a change (${why})`);
    return { refused: why };
  }
}

/** Returns the texts with which an issue is created. */
function wordsOf({ issue: { title, body } }: KnownIssue): string[] {
  return [title, body];
}

type Method = Parameters<GitHubClient["send"]>[0];

async function holdsSecret(texts: unknown): Promise<boolean> {
  return JSON.stringify(await withoutSecrets(texts)) !== JSON.stringify(texts);
}
