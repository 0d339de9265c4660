// Finds secrets in files, or in the lines that are staged for a commit, and commands in staged scripts that no agent
// may run. `.agentx/accepted-findings` lists the accepted findings, one hash a line.

import { sha256 } from "../base/sha256.ts";
import { LOOKS_ONLY, runGit } from "../git/run_git.ts";
import { parseLine } from "../lines/line.ts";
import { textsIn } from "../redact/border.ts";
import { fileKind, findSecrets } from "../redact/redact.ts";
import { sys } from "../sys/mod.ts";
import { judge, type JudgeOptions } from "./judge.ts";

/** A secret or command that should not be committed. */
export interface ScanFinding {
  /** The path relative to the scanned folder. */
  path: string;
  /** 1-based. */
  line: number;
  /** The kind of the finding: a secret, or a blocked command. */
  kind: "secret" | "command";
  /** The class of a secret, or the rule that blocks a command. */
  rule: string;
  /** Identifies the finding, even if it moves within its file. */
  fingerprint: string;
}

/** Text of one file, with the number of each line. */
interface Piece {
  path: string;
  text: string;
  lines: readonly number[];
  /** Whether the file is binary. In such a file, only a name or a prefix distinguishes a secret from noise. */
  isBinary?: boolean;
}

/** The maximum size of a part. A longer file is read in parts, which end at the end of a line if possible. */
const PART_BYTES = 2_000_000;

/** Runs of characters in a binary file that are too short to be text. */
const NOISE = /(^|\0)[^\0]{1,15}(?=\0|$)/g;

/** Git's line counts for a binary file. */
const BINARY = "-\t-\t";

/** Files that nobody wrote by hand, such as Go packages below `vendor/` and the name of their host. */
const SKIPPED =
  /(^|\/)(\.git|node_modules|\.agentx\/(state|log))(\/|$)|(^|\/)vendor\/[\w-]{1,60}(\.[\w-]{1,60}){1,3}\//;

/** Compressed and graphic formats. Random bytes in them can look like tokens. */
const MEDIA =
  /\.(png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|ai|eps|pdf|woff2?|[ot]tf|eot|mp[34]|webm|mov|wasm|zip|t?gz|xz|bz2|7z|jar)$/i;

/** Files of issues and observations. Each text in them was redacted by itself. */
const LINE_FILE = /(^|\/)\.agentx\/(issues|memory)\/.+\.jsonl$/;

const SHELL_SCRIPT = /\.(sh|bash|zsh|ksh)$|(^|\/)\.husky\/[^/]+$/;

const MAKEFILE = /(^|\/)([Mm]akefile|GNUmakefile|[^/]+\.mk)$/;

const MANIFEST = /(^|\/)package\.json$/;

/** Scans a file, or all files below a folder. */
export async function scanPath(root: string, path: string): Promise<ScanFinding[]> {
  return await findIn(
    filesBelow(path).flatMap((file): Piece[] => {
      return piecesOf(file, file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file);
    }),
  );
}

/** How to read a staged change. */
export interface StagedPlace {
  /** Runs git in the checkout. */
  git: (...args: string[]) => Promise<string>;
  /**
   * The commit with which the change is compared.
   *
   * @default {HEAD}
   */
  since?: string;
}

/** Scans the lines that the next commit adds. */
export async function scanStaged(
  checkout: string,
  options: JudgeOptions,
  { git, since }: StagedPlace = {
    git: (...args) =>
      runGit(checkout, args, { action: "scan", isInHook: true, confinement: LOOKS_ONLY }),
  },
): Promise<ScanFinding[]> {
  const diff = async (...args: string[]) =>
    await git(
      "-c",
      "core.quotePath=false",
      "diff",
      "--cached",
      "--no-color",
      ...since === undefined ? [] : [since],
      "--no-ext-diff",
      "--no-textconv",
      "--diff-filter=ACMR",
      "--no-prefix",
      ...args,
    );
  const counts = (await diff("--numstat", "--no-renames", "-z")).split("\0");
  // `.gitattributes` may declare a text binary, and git shows no lines of binary files.
  const binaries = counts.filter((count) => count.startsWith(BINARY))
    .map((count) => count.slice(BINARY.length));
  const texts = binaries.filter((path) => encodingOf(`${checkout}/${path}`) === "utf-8");
  const pieces = [
    ...binaries.filter((path) => !texts.includes(path)).flatMap((path) =>
      piecesOf(`${checkout}/${path}`, path)
    ),
    ...addedIn(await diff("--unified=0")),
    ...texts.length === 0 ? [] : addedIn(await diff("--unified=0", "--text", "--", ...texts)),
  ];
  const commands = pieces.flatMap((piece) => blockedIn(piece, options));
  return [...await findIn(pieces), ...await fingerprinted(commands)];
}

/** Returns the added lines of a diff, one piece for each file. */
function addedIn(diff: string): Piece[] {
  const pieces: Piece[] = [];
  let path = "";
  let number = 0;
  let added: string[] = [];
  let lines: number[] = [];
  const end = () => {
    if (added.length > 0) pieces.push({ path, text: added.join("\n"), lines });
    [added, lines] = [[], []];
  };
  let isHeader = false;
  for (const line of diff.split("\n")) {
    if (line.startsWith("diff --git ")) {
      end();
      isHeader = true;
    } else if (isHeader && line.startsWith("+++ ")) {
      path = line.slice(4).replace(/\t$/, "").replace(/^"(.*)"$/, "$1");
    } else if (line.startsWith("@@ ")) {
      isHeader = false;
      number = Number(/\+(\d+)/.exec(line)![1]);
    } else if (!isHeader && line.startsWith("+")) {
      added.push(line.slice(1));
      lines.push(number++);
    }
  }
  end();
  return pieces.filter(({ path }) => !SKIPPED.test(path));
}

type Unnamed = Omit<ScanFinding, "fingerprint"> & { text: string };

async function findIn(pieces: readonly Piece[]): Promise<ScanFinding[]> {
  const found = pieces.flatMap(fieldsOf).flatMap(({ path, text, lines, isBinary }): Unnamed[] => {
    const starts: number[] = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    const file = isBinary ? { isCode: false, isData: true } : fileKind(path, text);
    return findSecrets(text, file).map(({ start, end, kind }) => {
      const at = starts.findLastIndex((each) => each <= start);
      return { path, line: lines[at], kind: "secret", rule: kind, text: text.slice(start, end) };
    });
  });
  return await fingerprinted(found);
}

/** Splits a line file into its fields, because two adjacent fields may look like a name and its secret. */
function fieldsOf(piece: Piece): Piece[] {
  const { path, text, lines } = piece;
  if (!LINE_FILE.test(path)) return [piece];
  return text.split("\n").flatMap((line, at): Piece[] => {
    const parsed = parseLine(line);
    const isOurs = JSON.stringify(parsed) === line;
    return (isOurs ? [...textsIn(parsed)] : [line])
      .map((field) => ({ path, text: field, lines: field.split("\n").map(() => lines[at]) }));
  });
}

/** Judges each command by itself, as far as it can be read without the lines around it. */
function blockedIn({ path, text, lines }: Piece, options: JudgeOptions): Unnamed[] {
  const commandIn = commandsOf(path, text);
  if (commandIn === undefined) return [];
  let at = 0;
  return text.split(/(?<!\\)\n/).flatMap((whole): Unnamed[] => {
    const line = lines[at];
    at += whole.split("\n").length;
    const command = commandIn(whole).trim();
    if (command === "" || command.startsWith("#")) return [];
    const { verdict, rule } = judge(command, options);
    return verdict === "block" ? [{ path, line, kind: "command", rule, text: command }] : [];
  });
}

/** Returns a function that extracts the command from a line of a file; undefined if the file holds no commands. */
function commandsOf(path: string, text: string): ((line: string) => string) | undefined {
  if (MAKEFILE.test(path)) return (line) => /^\t[@+-]*([^]*)/.exec(line)?.[1] ?? "";
  if (MANIFEST.test(path)) {
    return (line) =>
      JSON.parse(/^\s*"[^"]+": *("(?:[^"\\]|\\["\\/bfnrt])*"),?$/.exec(line)?.[1] ?? '""');
  }
  const isShell = SHELL_SCRIPT.test(path) || /^#!.*\b(ba|da|z|k)?sh\b/.test(text);
  return isShell ? (line) => line : undefined;
}

async function fingerprinted(found: readonly Unnamed[]): Promise<ScanFinding[]> {
  return await Promise.all(found.map(async ({ text, ...finding }) => {
    const known = JSON.stringify([finding.path, finding.rule, text]);
    const hash = await sha256(new TextEncoder().encode(known));
    return { ...finding, fingerprint: hash.slice(0, 32) };
  }));
}

/** Returns the path of the accepted findings. `root` is the folder that holds `.agentx/`. */
function acceptedPath(root: string): string {
  return `${root}/.agentx/accepted-findings`;
}

/** Returns the findings that were not accepted. */
export function notAccepted(root: string, found: readonly ScanFinding[]): ScanFinding[] {
  const text = sys.readTextFile(acceptedPath(root)) ?? "";
  const accepted = new Set(text.split("\n").map((line) => line.split(" ")[0]));
  return found.filter(({ fingerprint }) => !accepted.has(fingerprint));
}

/** Accepts findings, so they are no longer reported. */
export function accept(root: string, found: readonly ScanFinding[]): void {
  const fresh = notAccepted(root, found);
  const lines = new Set(
    fresh.map(({ fingerprint, rule, path }) => `${fingerprint} ${rule} ${path}`),
  );
  if (lines.size > 0) sys.appendTextFile(acceptedPath(root), [...lines, ""].join("\n"));
}

/** Returns findings in SARIF, the form that code hosts read. */
export function sarifOf(found: readonly ScanFinding[]) {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: {
        driver: {
          name: "agentx",
          rules: [...new Set(found.map(({ rule }) => rule))].map((id) => ({ id })),
        },
      },
      results: found.map(({ path, line, kind, rule, fingerprint }) => ({
        ruleId: rule,
        level: "error",
        message: { text: textOfFinding({ kind, rule }) },
        locations: [{
          physicalLocation: { artifactLocation: { uri: path }, region: { startLine: line } },
        }],
        partialFingerprints: { agentx: fingerprint },
      })),
    }],
  };
}

/** Describes a finding in words. The text never contains the secret. */
export function textOfFinding({ kind, rule }: Pick<ScanFinding, "kind" | "rule">): string {
  return kind === "secret" ? `a secret (${rule})` : `a command that no agent may run (${rule})`;
}

function filesBelow(path: string): string[] {
  const kind = sys.lstat(path)?.kind;
  if (kind === "file") return [path];
  if (kind !== "directory") return []; // links are not followed
  return sys.readDir(path).map((name) => `${path}/${name}`).filter((each) => !SKIPPED.test(each))
    .flatMap(filesBelow);
}

/** Returns the text of a file in parts, for any size and encoding. */
function piecesOf(file: string, path: string): Piece[] {
  const encoding = encodingOf(file);
  if (encoding === "binary" && MEDIA.test(path)) return [];
  const size = sys.lstat(file)?.size ?? 0;
  const pieces: Piece[] = [];
  let line = 1;
  for (let offset = 0; encoding !== undefined && offset < size;) {
    const { bytes } = sys.readPart(file, offset, PART_BYTES)!;
    if (bytes.length === 0) break;
    const end = offset + bytes.length < size ? bytes.lastIndexOf(10) + 1 : 0;
    const step = end > 0 && encoding !== "utf-16le" && encoding !== "utf-16be" ? end : bytes.length;
    const all = new TextDecoder(encoding === "binary" ? "latin1" : encoding).decode(
      bytes.subarray(0, step),
    );
    const text = encoding === "binary"
      ? all.replace(/[^\n\x20-\x7e]+/g, "\0").replace(NOISE, "$1").replaceAll("\0", "\n")
      : all;
    const start = line;
    const lines = text.split("\n").map((_, at) => start + at);
    line = lines.at(-1)!;
    pieces.push({ path, text, lines, isBinary: encoding === "binary" });
    offset += step;
  }
  return pieces;
}

/**
 * Guesses the encoding from the beginning of a file. Returns `binary` if there is none, and undefined if the path is
 * not a file.
 */
function encodingOf(path: string): "utf-8" | "utf-16le" | "utf-16be" | "binary" | undefined {
  if (sys.lstat(path)?.kind !== "file") return undefined;
  const { bytes } = sys.readPart(path, 0, PART_BYTES)!;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (!bytes.includes(0)) return "utf-8";
  const zeros = [0, 1].map((odd) =>
    bytes.subarray(0, 1_000).filter((each, at) => at % 2 === odd && each === 0)
  );
  const [even, odd] = zeros.map(({ length }) => length > Math.min(bytes.length, 1_000) * 0.3);
  return even === odd ? "binary" : odd ? "utf-16le" : "utf-16be";
}
