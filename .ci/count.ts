// Counts the lines of code of the product: `deno run -A .ci/count.ts [REVISION]`.
//
// A line counts in `lib/`, `workers/`, `cli.ts` and `mod.ts` unless it is blank or a comment; tests do
// not count. With a revision of git, each folder is shown beside its count there.

const COUNTED = ["lib", "workers", "cli.ts", "mod.ts"];

const decoder = new TextDecoder();

/** The lines of code in each folder below `root`; a room of `lib/` is a folder. */
function countBelow(root: string, list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of list) {
    const folder = /^lib\/\w+(?=\/)|^\w+/.exec(path)![0];
    const text = Deno.readTextFileSync(`${root}/${path}`);
    counts.set(folder, (counts.get(folder) ?? 0) + linesOfCode(text));
  }
  return counts;
}

/** `deno fmt` begins each comment that fills lines on a line of its own. */
function linesOfCode(text: string): number {
  const code = text.replace(/^[ \t]*\/\*[^]*?\*\//gm, "").replace(/^[ \t]*\/\/.*$/gm, "");
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

function isCounted(path: string): boolean {
  return /\.(?:ts|js|css|html)$/.test(path) && !path.startsWith("lib/std/");
}

function run(program: string, ...args: string[]): string {
  const { success, stdout, stderr } = new Deno.Command(program, { args }).outputSync();
  if (!success) throw new Error(`${program} ${args.join(" ")}: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

/** The tree as it is, with files that are not committed. */
function countNow(): Map<string, number> {
  const listed = run("git", "ls-files", "-z", "-co", "--exclude-standard", "--", ...COUNTED);
  const there = new Set(listed.split("\0").filter(isCounted));
  for (const path of run("git", "ls-files", "-zd").split("\0")) there.delete(path);
  return countBelow(".", [...there]);
}

function countAt(revision: string): Map<string, number> {
  const folder = Deno.makeTempDirSync();
  try {
    const archive = `${folder}/archive.tar`;
    run("git", "archive", "-o", archive, revision, "--", ...COUNTED);
    run("tar", "-xf", archive, "-C", folder);
    const listed = run("git", "ls-tree", "-rz", "--name-only", revision, "--", ...COUNTED);
    return countBelow(folder, listed.split("\0").filter(isCounted));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
const signed = (difference: number) => `${difference > 0 ? "+" : ""}${difference}`;

const now = countNow();
const [revision] = Deno.args;
if (revision === undefined) {
  for (const [folder, lines] of [...now].sort()) console.log(`${folder.padEnd(16)}${lines}`);
  console.log(`total ${sum(now)}`);
} else {
  const before = countAt(revision);
  for (const folder of [...new Set([...before.keys(), ...now.keys()])].sort()) {
    const [was, is] = [before.get(folder) ?? 0, now.get(folder) ?? 0];
    if (was !== is) console.log(`${folder.padEnd(16)}${was} -> ${is} (${signed(is - was)})`);
  }
  console.log(`total ${sum(before)} -> ${sum(now)} (${signed(sum(now) - sum(before))})`);
}
