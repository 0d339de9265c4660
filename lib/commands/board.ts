// `agentx board`: the workspace in a browser. It listens on this machine while a person has it open, and runs
// no agent by itself.

import { loaderOf } from "../cli/find_command.ts";
import { Actions } from "../board/actions.ts";
import { Changes } from "../board/changes.ts";
import { BoardKeys } from "../board/keys.ts";
import { boardServer } from "../board/server.ts";
import { AgentxError } from "../base/errors.ts";
import { type Command, type CommandEntry, type Context, defineCommand } from "../cli/command.ts";
import { note } from "../cli/note.ts";
import { flag, optional, rule, type Spec, word } from "../cli/spec.ts";
import { usageError } from "../cli/usage_error.ts";
import { EventLog } from "../events/log.ts";
import { HUMAN } from "../base/agent_names.ts";
import { quote } from "../base/quote.ts";
import { serveLoopback } from "../sys/http.ts";
import { sys } from "../sys/mod.ts";
import { surfaceOf } from "../who/surface.ts";
import type { Workspace } from "../workspace/open.ts";
import { absolutePath } from "../lock/paths.ts";
import { type Extra, EXTRAS, writeStatic } from "./board/static_file.ts";
import { readView, repositoryName, waitingNow } from "./board/read.ts";
import { stampOf } from "./board/stamp.ts";

/**
 * The address of the board, or the file with the board. Without a terminal, the address has a code that opens it once.
 */
type BoardOutput = { url: string } | { path: string };

const extras: Spec<Extra[]> = {
  ...rule(
    (text) => text.split(",").every((each) => (EXTRAS as readonly string[]).includes(each)),
    `be ${EXTRAS.join(" or ")}, or both with a comma between`,
  ),
  description: "Also write these into the file",
  placeholder: "threads,memory",
  read: (text) => text.split(",") as Extra[],
};

/** @returns the command; clicks on the board run commands of the table */
export function command(commands: readonly CommandEntry[]): Command {
  return defineCommand({
    kind: "board",
    examples: [
      "agentx board",
      "agentx board --port 4600 --no-open",
      "agentx board --out board.html",
    ],
    jsonLines: true,
    input: {
      port: optional(
        {
          ...rule(
            (text) => /^\d{4,5}$/.test(text) && Number(text) > 1023 && Number(text) < 65_536,
            "be a whole number from 1024 to 65535",
          ),
          placeholder: "PORT",
          json: { type: "integer", minimum: 1024, maximum: 65_535 },
          read: Number,
        },
        "Port on 127.0.0.1 (default: a free port)",
      ),
      noOpen: flag("Only print the address; open no browser"),
      out: optional(
        word,
        "Write issues and figures to one HTML file without a script; open nothing",
        {
          placeholder: "FILE",
        },
      ),
      with: optional(extras),
    },
    needs: { with: ["out"] },
    conflicts: { out: ["port", "noOpen"] },
    async *run(context, { port = 0, noOpen, out, with: extras = [] }) {
      const ended = new AbortController();
      const signal = AbortSignal.any([context.signal, ended.signal]);
      const workspace = await context.openWorkspace();
      if (out !== undefined) {
        await writeStatic(filePath(context.name, out), workspace, extras);
        yield { output: { path: out } };
        return;
      }
      let host = "";
      const keys = new BoardKeys(() => ended.abort(guessed(host)));
      const startedAt = surfaceOf(context.io);
      const readOnly = startedAt.agent === undefined
        ? undefined
        : `Nothing can be changed here: an agent's session started this board, since ` +
          `${startedAt.agent}. Start it in a terminal of your own`;
      const log = new EventLog(`${workspace.root}/.agentx/log`, { warn: workspace.notify });
      const actions = new Actions({
        load: loaderOf(commands),
        root: context.root ?? sys.cwd(),
        startedAt,
        onDone: (kind, { id, issue }, code) =>
          log.write("board", {
            kind,
            ...id !== undefined && { clarificationId: id },
            ...issue !== undefined && { issueNumber: Number(issue) },
            agent: HUMAN,
            code: code ?? null,
          }),
      });
      const changes = new Changes({
        folder: `${workspace.root}/.agentx`,
        stamp: stampOf(workspace),
        summary: async () => {
          const waiting = await waitingNow(workspace, signal);
          return JSON.stringify({ waiting, repository: repositoryName(workspace) });
        },
      });
      const server = await serveLoopback(
        boardServer({
          keys,
          readOnly,
          host: () => host,
          view: (name, query) => readView(workspace, name, query, signal),
          act: (given) => actions.take(given),
          listen: (listener) => changes.listen(listener),
        }),
        port,
      );
      host = `127.0.0.1:${server.port}`;
      if (readOnly !== undefined) note(context.io, readOnly);
      const hasTerminal = context.io.isTerminal.stdin && context.io.isTerminal.stderr;
      const url = `http://${host}/${hasTerminal ? "" : `?open=${keys.newCode()}`}`;
      try {
        yield { output: { url } };
        if (hasTerminal) {
          const open = () => openBrowser(url, workspace);
          if (!noOpen) open();
          await attend(context, { keys, open, signal });
        }
        await aborted(signal);
        if (ended.signal.aborted) throw ended.signal.reason;
      } finally {
        await server.close();
      }
    },
    render: (output: BoardOutput) => `  ${"url" in output ? output.url : output.path}`,
  });
}

/**
 * Returns the path of a file to write; throws `INVALID_INPUT` for a folder, or if the folder of the file does not
 * exist.
 */
function filePath(name: string, out: string): string {
  const path = absolutePath(out);
  const isFolder = sys.lstat(path)?.kind === "directory";
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  if (!isFolder && sys.lstat(`${folder}.`) !== undefined) return path;
  const why = isFolder ? `${quote(out)} is a folder` : `there is no folder ${quote(folder)}`;
  const hint = "Name a file in a folder that is there.";
  throw usageError(name, { field: "--out", value: out, why, hint });
}

/** The parts that the terminal of a board works with. */
interface AttendOptions {
  keys: BoardKeys;
  /** Opens another tab. */
  open: () => void;
  signal: AbortSignal;
}

/** Asks at the terminal whether to let each tab in. A tab that another program opened shows other characters. */
async function attend(
  { io }: Context,
  { keys, open, signal }: AttendOptions,
): Promise<void> {
  note(
    io,
    "a tab shows four characters; compare them with those shown here, then press Enter. " +
      "o opens another tab, Ctrl-C ends the board",
  );
  let code: string | null = null;
  const stop = keys.listen((told) => {
    code = told.asks;
    if (told.asks !== null) {
      note(io, `if your browser shows ${told.asks}, press Enter to let it in; n refuses`);
    } else note(io, told.isLetIn ? "the tab was let in" : "the tab was not let in");
  });
  const stopped = aborted(signal);
  while (!signal.aborted) {
    const press = io.readKey();
    const key = await Promise.race([press.key, stopped]);
    press.stop();
    if (key === null) break;
    if (key === "o") open();
    if (code !== null && /^[\r\nn]$/.test(key)) keys.decide(code, key !== "n");
  }
  stop();
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

/** Programs that open an address, by platform. */
const OPENERS: Readonly<Record<string, string>> = { darwin: "open", linux: "xdg-open" };

/** No limit in effect: a browser outlives the board, and nothing waits for it. */
const MAX_BROWSER_MS = 2 ** 31 - 1;

function openBrowser(url: string, { root, notify }: Workspace): void {
  const opener = OPENERS[sys.platform];
  const hasScreen = sys.platform === "darwin" ||
    ["DISPLAY", "WAYLAND_DISPLAY"].some((name) => sys.env(name));
  if (opener === undefined || !hasScreen) return;
  const env = Object.fromEntries(sys.envEntries());
  sys.run([opener, url], {
    cwd: root,
    env,
    stdin: "",
    timeoutMs: MAX_BROWSER_MS,
    maxOutputBytes: 2 ** 20,
  })
    .then(({ outcome, exitCode }) => {
      if (outcome === "not-found" || exitCode !== 0) notify(`Open it by hand: ${opener} failed`);
    }).catch(() => {}); // the address was printed
}

function guessed(host: string): AgentxError<"UNTRUSTED"> {
  return new AgentxError("UNTRUSTED", "Cannot keep the board open: its key is being guessed", {
    details: { path: `http://${host}`, reason: "500 wrong codes or keys" },
    next: "Some program of this machine tries addresses of it; start it again with: agentx board",
  });
}
