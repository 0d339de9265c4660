/**
 * A store in a folder that is removed at the end of the test.
 *
 * @module
 */

import { FileLockManager } from "../../lib/lock/mod.ts";
import { estimateTokens, type Observation, summaryOf } from "../../lib/memory/schema.ts";
import { JsonObservationStore } from "../../lib/memory/store/store.ts";
import { replace } from "../lock/faults.ts";
import { snapshotOf } from "../temp_workspace.ts";
import { removeFolder } from "../remove_folder.ts";

/** When all samples were made, unless they say otherwise. */
export const SAMPLE_TIME_MS: number = Date.parse("2026-02-27T10:00:00.000Z");

let count = 0;

/** An observation of issue 29 by the engineer, with an id of its own. */
export function sample(content: string, changes: Partial<Observation> = {}): Observation {
  const { agent = "engineer", issueNumber = 29 } = changes;
  const timestamp = changes.timestamp ?? new Date(SAMPLE_TIME_MS).toISOString();
  const suffix = (count++).toString(36).padStart(6, "0");
  return {
    id: `obs-${agent}-${issueNumber}-${Date.parse(timestamp)}-${suffix}`,
    agent,
    issueNumber,
    category: "decision",
    content,
    summary: summaryOf(content),
    tokens: estimateTokens(content),
    timestamp,
    sessionId: "engineer-1709035100000-x7y8z9",
    ...changes,
  };
}

/** So many observations, each with other words. */
export function samples(length: number, changes: Partial<Observation> = {}): Observation[] {
  return Array.from({ length }, () => sample(`Observation number ${count} of many`, changes));
}

/** A folder for a store. */
export class TempStore implements Disposable {
  readonly root: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-memory-" }));
  readonly folder: string = `${this.root}/memory`;
  readonly notices: string[] = [];
  readonly store: JsonObservationStore = this.another();
  readonly #clock = replace("now", () => () => SAMPLE_TIME_MS);

  /** As another process would open it. */
  another(): JsonObservationStore {
    return new JsonObservationStore(this.folder, new FileLockManager({ maxWaitMs: 60_000 }), {
      recallsPath: `${this.root}/state/memory-recalls.json`,
      notify: (message) => this.notices.push(message),
    });
  }

  read(name: string): string {
    return Deno.readTextFileSync(`${this.folder}/${name}`);
  }

  write(name: string, content: unknown): void {
    Deno.mkdirSync(this.folder, { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
    Deno.writeTextFileSync(`${this.folder}/${name}`, text);
  }

  /** Every path below with its content. */
  snapshot(): Record<string, string> {
    return snapshotOf(this.root);
  }

  names(): string[] {
    return Array.from(Deno.readDirSync(this.folder), ({ name }) => name).sort();
  }

  [Symbol.dispose](): void {
    this.#clock[Symbol.dispose]();
    removeFolder(this.root);
  }
}
