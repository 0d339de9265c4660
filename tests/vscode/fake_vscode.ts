/**
 * A hand-made `vscode`: what the extension calls of it, in this process. A person's choices are replies of the test.
 *
 * @module
 */

import { assert } from "@std/assert";
import { main } from "../../cli.ts";
import { activate } from "../../lib/vscode/extension.ts";
import type { Vscode } from "../../lib/vscode/editor.ts";
import type { ScriptedTurn } from "../run/scripted_turns.ts";
import { serveHub } from "../../lib/vscode/hub.ts";
import type { FromHub, Port, ToHub } from "../../lib/vscode/messages.ts";

/** A message, a list or an input that the person sees. */
export interface Shown {
  kind: "information" | "warning" | "error" | "pick" | "input";
  text: string;
  /** Buttons, or labels of the list. */
  choices: string[];
}

/** What the person presses, chooses or types; undefined closes it. */
export type Person = (shown: Shown) => string | undefined;

/** A row of a tree, as the editor draws it. */
export interface Row {
  // deno-lint-ignore no-explicit-any -- what the extension made of it
  item: any;
  // deno-lint-ignore no-explicit-any -- the extension's own
  node: any;
}

class Emitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();
  readonly event = (listener: (value: T) => unknown): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire = (value: T): void => this.#listeners.forEach((listener) => listener(value));
  dispose(): void {
    this.#listeners.clear();
  }
}

class Uri {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
  constructor({ scheme, path, query = "" }: { scheme: string; path: string; query?: string }) {
    [this.scheme, this.path, this.query] = [scheme, path, query];
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `${this.scheme}:${this.path}${this.query && `?${this.query}`}`;
  }
  static file = (path: string) => new Uri({ scheme: "file", path });
  static parse = (text: string) => {
    const [, scheme, path] = /^(\w+):([^]*)$/.exec(text)!;
    return new Uri({ scheme, path });
  };
  static from = (parts: { scheme: string; path: string; query?: string }) => new Uri(parts);
  static joinPath = ({ scheme, path }: Uri, ...parts: string[]) =>
    new Uri({ scheme, path: [path, ...parts].join("/") });
}

interface Watcher {
  pattern: string;
  created: Emitter<Uri>;
  changed: Emitter<Uri>;
  deleted: Emitter<Uri>;
}

class TextPart {
  constructor(readonly value: string) {}
}

class CallPart {
  constructor(readonly callId: string, readonly name: string, readonly input: object) {}
}

/** A model of the editor that plays a script: which turn comes next follows from the conversation. */
export class FakeModel {
  readonly vendor = "scripted";
  readonly name = "Scripted";
  readonly #script: readonly ScriptedTurn[];
  /** What it was sent. */
  readonly asked: { role: number; content: unknown }[][] = [];

  constructor(script: readonly ScriptedTurn[]) {
    this.#script = script;
  }

  sendRequest(messages: { role: number; content: unknown }[]): Promise<{ stream: unknown }> {
    this.asked.push(messages);
    const said = messages.filter(({ role }) => role === 2).length;
    const { text = "", calls = [] } = this.#script[Math.min(said, this.#script.length - 1)];
    const parts = [
      ...text === "" ? [] : [new TextPart(text)],
      ...calls.map(([name, input], index) => new CallPart(`call_${index}`, name, input as object)),
    ];
    return Promise.resolve({ stream: ReadableStream.from(parts) });
  }
}

/** What a chat answered. */
export interface Chatted {
  text: string;
  /** Command, title and what the command is given. */
  buttons: { command: string; title: string; arguments: unknown[] }[];
  followUps: { prompt: string; command?: string }[];
}

/** A window of the editor. */
export class FakeEditor {
  /** Folders of the window. */
  folders: string[];
  isTrusted = true;
  settings: Record<string, unknown> = {};
  person: Person = () => undefined;
  readonly shown: Shown[] = [];
  readonly executed: unknown[][] = [];
  // deno-lint-ignore no-explicit-any -- views, providers and items by their id
  readonly made = new Map<string, any>();
  readonly subscriptions: { dispose(): unknown }[] = [];
  readonly vscode: Vscode;
  models: FakeModel[] = [];
  readonly cancelled = new Emitter<void>();
  readonly granted = new Emitter<void>();
  readonly foldersChanged = new Emitter<void>();
  readonly configured = new Emitter<{ affectsConfiguration(key: string): boolean }>();
  /** Command lines that were run, as words. */
  readonly calls: string[] = [];
  readonly #watchers = new Set<Watcher>();
  readonly #commands = new Map<string, (...given: unknown[]) => unknown>();
  readonly documents: { uri: Uri }[] = [];

  constructor(...folders: string[]) {
    this.folders = folders;
    this.vscode = this.#module() as unknown as Vscode;
  }

  /** Starts the extension; ends once the workspaces are read. */
  async activate(): Promise<void> {
    await activate({
      vscode: this.vscode,
      context: { subscriptions: this.subscriptions },
      port: this.port(),
      program: ["/usr/bin/node", "/extension/agentx.cjs"],
    });
  }

  /** A way to the command line, without a thread. */
  port(): Port<ToHub, FromHub> {
    let toHub = (_: ToHub) => {};
    let toEditor = (_: FromHub) => {};
    serveHub({
      send: (message) => queueMicrotask(() => toEditor(structuredClone(message))),
      receive: (listener) => toHub = listener,
    }, main);
    return {
      send: (message) => {
        if ("argv" in message) this.calls.push(message.argv.join(" "));
        toHub(structuredClone(message));
      },
      receive: (listener) => toEditor = listener,
    };
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  /** The editor saw a file that was replaced. */
  changed(path: string): void {
    for (const { pattern, created } of this.#watchers) {
      const [before, after] = pattern.split("**");
      if (path.startsWith(before) && path.endsWith(after)) {
        created.fire(Uri.file(path));
      }
    }
  }

  /** The rows of a view below a row. */
  async rows(view: string, below?: Row): Promise<Row[]> {
    const { treeDataProvider: provider } = this.made.get(view);
    const nodes = await provider.getChildren(below?.node) ?? [];
    return await Promise.all(
      // deno-lint-ignore no-explicit-any -- the extension's own
      nodes.map(async (node: any) => ({ node, item: await provider.getTreeItem(node) })),
    );
  }

  /** The text of a document such as `CLR-42-001` of a workspace. */
  async document(root: string, id: string): Promise<string> {
    const uri = Uri.from({ scheme: "agentx", path: `${id}.md`, query: root });
    return await this.made.get("agentx").provideTextDocumentContent(uri);
  }

  /** What the participant answers in a chat. */
  async chat(
    prompt: string,
    { command, model }: { command?: string; model?: FakeModel } = {},
  ): Promise<Chatted> {
    const participant = this.made.get("agentx.agentx");
    const answer: Omit<Chatted, "followUps"> = { text: "", buttons: [] };
    const stream = {
      markdown: (text: string) => answer.text += text,
      button: (button: Chatted["buttons"][number]) => answer.buttons.push(button),
    };
    const token = { onCancellationRequested: this.cancelled.event };
    const result = await participant.handle({ prompt, command, model }, {}, stream, token);
    return { ...answer, followUps: participant.followupProvider.provideFollowups(result) };
  }

  async execute(command: string, ...given: unknown[]): Promise<unknown> {
    return await this.#commands.get(command)!(...given);
  }

  /** Waits until something holds, which it does soon or never. */
  async until(holds: () => unknown | Promise<unknown>): Promise<void> {
    const endMs = Date.now() + 60_000;
    while (!await holds()) {
      if (Date.now() > endMs) throw new Error(`It does not hold: ${holds}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #show(kind: Shown["kind"], text: string, choices: string[]): string | undefined {
    const shown = { kind, text, choices };
    this.shown.push(shown);
    return this.person(shown);
  }

  #message(kind: "information" | "warning" | "error") {
    return (text: string, ...rest: (string | { detail?: string })[]) => {
      const [options] = rest.filter((each) => typeof each === "object");
      const choices = rest.filter((each) => typeof each === "string");
      const whole = options?.detail === undefined ? text : `${text}\n${options.detail}`;
      return Promise.resolve(this.#show(kind, whole, choices));
    };
  }

  #module(): unknown {
    const register = (id: string, made: unknown) => {
      this.made.set(id, made);
      return { dispose: () => this.made.delete(id) };
    };
    // deno-lint-ignore no-this-alias -- getters below have a `this` of their own
    const editor = this;
    return {
      EventEmitter: Emitter,
      Uri,
      FileType: { File: 1, Directory: 2 },
      ProgressLocation: { Notification: 15 },
      StatusBarAlignment: { Left: 1, Right: 2 },
      TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
      ThemeIcon: class {
        constructor(readonly id: string) {}
      },
      TreeItem: class {
        constructor(readonly label: string, readonly collapsibleState = 0) {}
      },
      RelativePattern: class {
        readonly text: string;
        constructor(base: Uri, pattern: string) {
          this.text = `${base.path}/${pattern}`;
        }
      },
      McpStdioServerDefinition: class {
        constructor(
          readonly label: string,
          readonly command: string,
          readonly args: string[],
          readonly env: Record<string, string>,
          readonly version: string,
        ) {}
      },
      Disposable: {
        from: (...all: { dispose(): unknown }[]) => ({
          dispose: () => all.forEach((each) => each.dispose()),
        }),
      },
      CancellationTokenSource: class {
        readonly #cancelled = new Emitter<void>();
        readonly token = {
          isCancellationRequested: false,
          onCancellationRequested: this.#cancelled.event,
        };
        cancel(): void {
          this.token.isCancellationRequested = true;
          this.#cancelled.fire();
        }
        dispose(): void {}
      },
      LanguageModelTextPart: TextPart,
      LanguageModelToolCallPart: CallPart,
      LanguageModelToolResultPart: class {
        constructor(readonly callId: string, readonly content: unknown[]) {}
      },
      LanguageModelChatMessage: {
        User: (content: unknown) => ({ role: 1, content }),
        Assistant: (content: unknown) => ({ role: 2, content }),
      },
      chat: {
        createChatParticipant: (id: string, handle: unknown) => {
          const participant = { handle, dispose: () => this.made.delete(id) };
          this.made.set(id, participant);
          return participant;
        },
      },
      env: { openExternal: (uri: Uri) => this.executed.push(["open", `${uri}`]) },
      lm: {
        registerLanguageModelChatProvider: (vendor: string, made: unknown) =>
          register(`model ${vendor}`, made),
        selectChatModels: () => Promise.resolve(this.models),
        registerMcpServerDefinitionProvider: (_: string, made: unknown) =>
          register("servers", made),
      },
      commands: {
        registerCommand: (name: string, run: (...given: unknown[]) => unknown) => {
          this.#commands.set(name, run);
          return { dispose: () => this.#commands.delete(name) };
        },
        executeCommand: (...words: unknown[]) => {
          this.executed.push(words);
          return Promise.resolve(this.#commands.get(`${words[0]}`)?.(...words.slice(1)));
        },
      },
      window: {
        createOutputChannel: (name: string) => {
          const channel = {
            text: "",
            append: (text: string) => channel.text += text,
            appendLine: (text: string) => channel.text += `${text}\n`,
            clear: () => channel.text = "",
            show() {},
            dispose() {},
          };
          this.made.set(`channel ${name}`, channel);
          return channel;
        },
        createTerminal: () => ({
          show() {},
          sendText: (text: string) => this.executed.push(["terminal", text]),
        }),
        createTreeView: (id: string, options: object) => {
          const view = { ...options, dispose: () => this.made.delete(id) };
          this.made.set(id, view);
          return view;
        },
        createStatusBarItem: (id: string) => {
          const item = { show() {}, hide() {}, dispose() {} };
          this.made.set(`bar ${id}`, item);
          return item;
        },
        withProgress: (_: object, run: (...given: unknown[]) => unknown) =>
          run({ report() {} }, { onCancellationRequested: this.cancelled.event }),
        setStatusBarMessage: (text: string) => this.executed.push(["status", text]),
        showInformationMessage: this.#message("information"),
        showWarningMessage: this.#message("warning"),
        showErrorMessage: this.#message("error"),
        showQuickPick: (
          rows: ({ label: string } | string)[],
          { title = "", placeHolder = "" }: { title?: string; placeHolder?: string } = {},
        ) => {
          const text = [title, placeHolder].join("\n").trim();
          const labelOf = (row: typeof rows[number]) => typeof row === "string" ? row : row.label;
          const chosen = this.#show("pick", text, rows.map(labelOf));
          return Promise.resolve(rows.find((row) => labelOf(row) === chosen));
        },
        showInputBox: ({ title = "", prompt = "" }: { title?: string; prompt?: string }) =>
          Promise.resolve(this.#show("input", [title, prompt].join("\n").trim(), [])),
      },
      workspace: {
        get isTrusted() {
          return editor.isTrusted;
        },
        get workspaceFolders() {
          return editor.folders.map((path) => ({
            name: path.slice(path.lastIndexOf("/") + 1),
            uri: Uri.file(path),
          }));
        },
        textDocuments: this.documents,
        getConfiguration: (section: string) => ({
          get: (key: string, otherwise: unknown) => this.settings[`${section}.${key}`] ?? otherwise,
        }),
        createFileSystemWatcher: (pattern: string | { text: string }) => {
          const watcher = {
            pattern: typeof pattern === "string" ? pattern : pattern.text,
            created: new Emitter<Uri>(),
            changed: new Emitter<Uri>(),
            deleted: new Emitter<Uri>(),
          };
          this.#watchers.add(watcher);
          return {
            onDidCreate: watcher.created.event,
            onDidChange: watcher.changed.event,
            onDidDelete: watcher.deleted.event,
            dispose: () => this.#watchers.delete(watcher),
          };
        },
        fs: {
          readDirectory: async ({ path }: Uri) => {
            const names: [string, number][] = [];
            for await (const { name, isDirectory } of Deno.readDir(path)) {
              names.push([name, isDirectory ? 2 : 1]);
            }
            return names;
          },
          stat: ({ path }: Uri) => Deno.stat(path),
        },
        registerTextDocumentContentProvider: register,
        onDidChangeWorkspaceFolders: this.foldersChanged.event,
        onDidGrantWorkspaceTrust: this.granted.event,
        onDidChangeConfiguration: this.configured.event,
      },
    };
  }
}

/** Links in messages, prompts and lists may name a command of the editor. */
export const LINK = "[look](command:workbench.action.quit) $(bell) [b](http://evil.example)";

/** No text that others wrote is a link, an icon or a control. */
export function assertInert(text: string): void {
  // deno-lint-ignore no-control-regex -- these are what nobody may see
  assert(!/\]\(|\$\(|[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e\u2066]/.test(text), text);
}
