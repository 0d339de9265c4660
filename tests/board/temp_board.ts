/**
 * A board of a workspace, in this process, and what a page asks of it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { type KeyPress, sys } from "../../lib/sys/mod.ts";
import { FakeIo, type FakeIoOptions } from "../cli/fake_io.ts";
import type { TempWorkspace } from "../temp_workspace.ts";

/** What a click got. */
export interface Replied {
  exitCode?: number;
  result?: string;
  said?: string;
  error?: { code: string; message: string };
  ask?: { id: string; text: string };
}

/** Of a text that does not hold a part, all is shown. */
export function assertHas(text: string, part: string): void {
  assert(text.includes(part), `There is no ${JSON.stringify(part)} in: ${text}`);
}

/** A terminal at which keys are pressed. */
class TypedIo extends FakeIo {
  press = (_: string) => {};

  override readKey(): KeyPress {
    return { key: new Promise((resolve) => this.press = resolve), stop() {} };
  }
}

/** What a tab receives that asks to be let in. */
interface Entering {
  code?: string;
  key?: string | null;
}

async function* linesOf<Line>({ body }: Response): AsyncGenerator<Line> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let text = "";;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const lines = text.split("\n");
      text = lines.pop()!;
      for (const line of lines) yield JSON.parse(line);
    }
  } finally {
    await reader.cancel();
  }
}

/** A board that runs until it is disposed of. */
export class TempBoard implements AsyncDisposable {
  readonly io: TypedIo;
  /** The exit code, once it has ended. */
  readonly code: Promise<number>;
  readonly #interrupt: (signal: string) => void;
  #key: string | undefined;

  private constructor(io: TypedIo, code: Promise<number>, interrupt: (signal: string) => void) {
    this.io = io;
    this.code = code;
    this.#interrupt = interrupt;
  }

  /** Starts it, by default at a terminal of a person. */
  static async start(
    temp: TempWorkspace,
    { words = [], ...options }: FakeIoOptions & { words?: string[] } = {},
  ): Promise<TempBoard> {
    const io = new TypedIo({ terminal: true, ...options });
    const { onInterrupt } = sys;
    let interrupt = (_: string) => {};
    sys.onInterrupt = (handler) => {
      interrupt = handler;
      sys.onInterrupt = onInterrupt; // the others are those of clicks
      return () => {};
    };
    const code = main(["--root", temp.root, "board", "--no-open", ...words], io);
    while (!io.out.includes("http://")) {
      const ended = await Promise.race([code, sys.wait(5)]);
      assertEquals(ended, undefined, io.err);
    }
    return new TempBoard(io, code, interrupt);
  }

  /** The address that was printed, without its code. */
  get origin(): string {
    return /http:\/\/[^/]+/.exec(this.io.out)![0];
  }

  /** The address that was printed. */
  get url(): string {
    return this.io.out.trim();
  }

  /** Presses a key in the terminal. */
  type(key: string): void {
    this.io.press(key);
  }

  /** Waits until the terminal asks about a tab, and gives the four characters that it names. */
  async asked(): Promise<string> {
    const asks = /if your browser shows\s+(\w{4})(?![^]*the tab was)/;
    let found;
    while ((found = asks.exec(this.io.err)) === null) await sys.wait(5);
    return found[1];
  }

  /** What a tab receives that asks to be let in: its characters, and then its key. */
  async enter(): Promise<AsyncGenerator<Entering>> {
    const headers = { origin: this.origin, "content-type": "application/json" };
    const response = await fetch(`${this.origin}/enter`, { method: "POST", headers, body: "{}" });
    assertEquals(response.status, 200);
    return linesOf<Entering>(response);
  }

  /** Opens the page, lets it in, and keeps its key. */
  async open(): Promise<string> {
    if (this.url.includes("?open=")) { // no terminal can ask
      const page = await (await fetch(this.url)).text();
      return this.#key = /name="agentx-key" content="([^"]+)"/.exec(page)![1];
    }
    const tab = await this.enter();
    const { code } = (await tab.next()).value;
    assertEquals(await this.asked(), code);
    this.type("\r");
    const { key } = (await tab.next()).value;
    assert(typeof key === "string");
    return this.#key = key;
  }

  /** What the page says with each request. */
  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#key}` };
  }

  /** A view as HTML. */
  async view(path: string): Promise<string> {
    if (this.#key === undefined) await this.open();
    const response = await fetch(`${this.origin}/view/${path}`, { headers: this.headers });
    const text = await response.text();
    assertEquals(response.status, 200, text);
    return text;
  }

  /** A click. */
  async act(body: unknown): Promise<Replied> {
    if (this.#key === undefined) await this.open();
    const response = await fetch(`${this.origin}/do`, {
      method: "POST",
      headers: { ...this.headers, origin: this.origin, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return await response.json();
  }

  /** What the page is told of changes, as it comes. */
  async *changes(): AsyncGenerator<
    { waiting?: number; repository?: string; asks?: string | null }
  > {
    if (this.#key === undefined) await this.open();
    yield* linesOf(await fetch(`${this.origin}/changes`, { headers: this.headers }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#interrupt("SIGINT");
    await this.code;
    await new Promise((resolve) => setTimeout(resolve)); // only then Deno lets go of signals
  }
}
