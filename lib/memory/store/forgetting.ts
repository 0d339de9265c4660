/**
 * What is being forgotten: `forgetting.json`, there from before the first write of it to after the
 * last. Should the process die in between, the next one that opens the store goes on with it: what
 * somebody wanted forgotten is in no file and in no answer from then on.
 *
 * @module
 */

import { isObject } from "../../checks.ts";
import { hasCode } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { encodeJson } from "../../text/text.ts";
import { parseObservationId } from "../schema.ts";
import type { StoreChange } from "./change.ts";

/** The file, which one forgetting at a time may have: that of the holder of the lock. */
export class Forgetting {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = `${folder}/forgetting.json`;
  }

  isPending(): boolean {
    return sys.lstat(this.#path) !== undefined;
  }

  begin(id: string, { replaceFile }: StoreChange): void {
    replaceFile(this.#path, `${encodeJson({ version: 1, id })}\n`);
  }

  /** The id; undefined if there is none, or none that can be read. */
  read(): string | undefined {
    try {
      const value: unknown = JSON.parse(sys.readTextFile(this.#path) ?? "null");
      if (!isObject(value) || typeof value.id !== "string") return undefined;
      parseObservationId(value.id);
      return value.id;
    } catch (error) {
      if (error instanceof SyntaxError || hasCode(error, "INVALID_INPUT")) return undefined;
      throw error;
    }
  }

  end(): void {
    sys.removeFile(this.#path);
  }
}
