import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { GUARD_RULES, judge, MAX_JUDGEMENTS } from "../../lib/guard/judge.ts";

const PLACE = { root: "/work/app", cwd: "/work/app", home: "/home/ann" };

/** A project whose lock file names the usual packages. */
const PROJECT = {
  ...PLACE,
  isLocked: (name: string) => /^(tsc|typescript|vitest|eslint|jest|prettier)$/.test(name),
};

/** A line of `commands.jsonl`: labelled before any rule was written. */
interface Labelled {
  cmd: string;
  shell: "bash" | "pwsh";
  accept: string[];
}

const LABELLED: Labelled[] = Deno.readTextFileSync(new URL("commands.jsonl", import.meta.url))
  .trim().split("\n").map((line) => JSON.parse(line));

function verdictOf(text: string, shell: "bash" | "pwsh" = "bash") {
  return judge(text, { place: PLACE, shell }).verdict;
}

Deno.test("judge() says of each labelled command what its label accepts", () => {
  const wrong = LABELLED.filter(({ cmd, shell, accept }) =>
    !accept.includes(verdictOf(cmd, shell))
  );
  assertEquals(wrong.map(({ cmd }) => cmd), []);
});

Deno.test("judge(): each rule holds for its examples, and not for the others", () => {
  const text = Deno.readTextFileSync(new URL("rules.json", import.meta.url));
  const known = JSON.parse(text) as Record<string, { is: string[]; isNot?: string[] }>;
  assertEquals(Object.keys(known).sort(), [...new Set(GUARD_RULES.map(({ id }) => id))].sort());
  const wrong = GUARD_RULES.flatMap(({ id, verdict, shell }) =>
    [
      ...known[id].is.filter((line) => verdictOf(line, shell) !== verdict),
      ...known[id].isNot?.filter((line) => judge(line, { place: PLACE, shell }).rule === id) ?? [],
    ].map((line) => `${id}: ${line}`)
  );
  assertEquals(wrong, []);
});

Deno.test("judge() stops none of the commands with which agents look, build and test", () => {
  const lines = Deno.readTextFileSync(new URL("everyday.txt", import.meta.url)).trim().split("\n");
  assertEquals(lines.filter((line) => verdictOf(line) !== "allow"), []);
});

Deno.test("judge() allows none of the commands that do more than they seem to", () => {
  const lines = Deno.readTextFileSync(new URL("disguised.txt", import.meta.url)).trim().split("\n");
  assertEquals(lines.filter((line) => verdictOf(line) === "allow"), []);
});

/** A day of agents, and blocks of CI workflows: labelled before any rule was tried on them. */
for (const name of ["tuned", "held_out"]) {
  Deno.test(`judge() lets a day's harmless lines run, and no unsafe one (${name})`, () => {
    const lines: { label: string; cmd: string }[] = Deno.readTextFileSync(
      new URL(`day/${name}.jsonl`, import.meta.url),
    ).trim().split("\n").map((line) => JSON.parse(line));
    const of = (label: string, verdict: string) =>
      lines.filter((line) =>
        line.label === label && judge(line.cmd, { place: PROJECT }).verdict === verdict
      ).map(({ cmd }) => cmd);
    assertEquals(of("unsafe", "allow"), []);
    assertEquals(of("harmless", "block"), []);
    const asked = of("harmless", "ask");
    const harmless = lines.filter(({ label }) => label === "harmless").length;
    assert(asked.length <= harmless * 0.05, asked.join("\n"));
  });
}

/** Pieces of lines that hold commands in commands. */
const PIECES = [
  ...["rm ", "-rf ", "sh -c ", "'", '"', "$(", ")", "`", ";", "|", "&& ", "\n", "{ ", "} ", "("],
  ...["<<E\n", "E\n", "for x in a b c d; do ", "done ", "xargs ", "find . -exec ", "\\; ", "psql "],
  ...["bash ", "git ", "reset --hard ", "$x ", "~ ", "env A=b ", "{a,b} ", "eval ", "x=rm ", "<("],
];

Deno.test("judge() answers any line within the bound of judgements, and asks beyond it", () => {
  const numRuns = Deno.env.get("AGENTX_STRESS") === "full" ? 10_000 : 200;
  const line = fc.tuple(
    fc.subarray(PIECES, { minLength: 1 }).chain((pieces) =>
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 1_500, size: "max" })
    ),
    fc.integer({ min: 1, max: 4_000 }),
  ).map(([pieces, length]) => pieces.join("").slice(0, length));
  let most = 0;
  fc.assert(
    fc.property(line, (text) => {
      const judged = new Set<readonly unknown[]>();
      judge(text, {
        place: PLACE,
        policy: (found, words) => (words.length > 0 && judged.add(words), found),
      });
      most = Math.max(most, judged.size);
      assert(judged.size <= MAX_JUDGEMENTS, text);
    }),
    { numRuns },
  );
  assert(most > 20, "the lines are too simple to try the bound");
  const many = judge("echo a;".repeat(MAX_JUDGEMENTS + 1), { place: PLACE });
  assertEquals(many.verdict, "ask");
  const hidden = judge(`mytool ${"rm ".repeat(40)}; rm -rf ~`, { place: PLACE });
  assertEquals([hidden.verdict, hidden.rule], ["block", "delete-tree"]);
  assertEquals(judge(`mytool ${"rm ".repeat(3_000)}`, { place: PLACE }).verdict, "ask");
  for (const start of ["for a in 1 2 3 4 5 6 7 8; do ", "$(", "((", "a|"]) {
    assertEquals(judge(start.repeat(600), { place: PLACE }).verdict, "ask", start);
  }
});

const BLOCKED = [
  "rm -rf /",
  "rm -r -f ~",
  "git reset --hard",
  "git push --force origin main",
  "git clean -fdx",
  "find / -delete",
  "mkfs.ext4 /dev/sda1",
  "psql -c 'DROP DATABASE app'",
];

/** The same word for bash, written in another way. */
const QUOTES: ((word: string) => string)[] = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => /["$`\\]/.test(word) ? word : `"${word}"`,
  (word) => `\\${word}`,
  (word) => `${word.slice(0, 1)}""${word.slice(1)}`,
  (word) => `$'${Array.from(word, (each) => `\\x${each.charCodeAt(0).toString(16)}`).join("")}'`,
];

/** Something around a command line in which it runs. */
const WRAPPERS: ((line: string) => string)[] = [
  (line) => `ls; ${line}`,
  (line) => `ls && ${line}`,
  (line) => `(${line})`,
  (line) => `{ ${line}; }`,
  (line) => `echo $( ${line} )`,
  (line) => `if true; then ${line}; fi`,
  (line) => `for i in 1 2; do ${line}; done`,
  (line) => `f() { ${line}; }; f`,
  (line) => `! ${line}`,
  (line) => `cat <(${line})`,
  (line) => `bash -c ${quoted(line)}`,
  (line) => `sh -ec ${quoted(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `env A=b sh -c ${quoted(line)}`,
  (line) => `timeout 5 bash -c ${quoted(line)}`,
  (line) => `sudo sh -c ${quoted(line)}`,
  (line) => `ssh host ${quoted(line)}`,
  (line) => `git log --format="$( ${line} )"`,
  (line) => `case x in x) ${line};; esac`,
  (line) => `bash <<'A_LONG_END'\n${line}\nA_LONG_END\n`,
  (line) => `ls # it is fine\n${line}`,
  (line) => `xargs sh -c ${quoted(line)} < a.txt`,
  (line) => `find . -exec sh -c ${quoted(line)} \\;`,
  (line) => `x=$( ${line} )`,
  (line) => `for x in 1; do ${line}; done`,
  (line) => `bash <<< ${quoted(line)}`,
  (line) => `echo ${quoted(line)} | sh`,
  (line) => `printf %s ${quoted(line)} | sudo bash`,
  (line) => `echo ${btoa(line)} | base64 -d | bash`,
  (line) => `. <(echo ${quoted(line)})`,
  (line) => `trap ${quoted(line)} EXIT`,
  (line) => `alias ls=${quoted(line)}; ls`,
  (line) => `git -c alias.x=${quoted(`!${line}`)} x`,
  (line) => `git log; \\\n ${line}`,
  (line) => `env -S ${quoted(line)}`,
  (line) => `nohup nice -n 5 sh -c ${quoted(line)} &`,
  (line) => `docker run -v /:/h alpine sh -c ${quoted(line)}`,
  (line) => `npm exec -c ${quoted(line)}`,
  (line) => `watch ${quoted(line)}`,
  (line) => `PAGER=${quoted(line)} git log`,
  (line) => `cat <<E_${line.length}\n$( ${line} )\nE_${line.length}\n`,
];

function quoted(line: string): string {
  return `'${line.replaceAll("'", "'\\''")}'`;
}

/** A blocked command in other spellings, inside of others. */
const HIDDEN = fc.tuple(
  fc.constantFrom(...BLOCKED),
  fc.array(fc.nat(QUOTES.length - 1), { minLength: 6, maxLength: 6 }),
  fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 4 }),
).map(([line, quotes, wrappers]) => {
  const words = line.includes("'") ? [line] : line.split(" ");
  const spelled = words.map((word, at) =>
    word === line || word.startsWith("~") ? word : QUOTES[quotes[at]](word)
  );
  return wrappers.reduce((text, wrap) => wrap(text), spelled.join(" "));
});

Deno.test("judge() allows no blocked command, however it is quoted, nested or encoded", () => {
  const numRuns = Deno.env.get("AGENTX_STRESS") === "full" ? 100_000 : 2_000;
  fc.assert(fc.property(HIDDEN, (line) => verdictOf(line) !== "allow"), { numRuns });
});

Deno.test("judge() finds a database that is dropped behind another program", () => {
  const lines = [
    'docker exec db psql -c "DROP DATABASE x"',
    'sudo -u postgres psql -c "drop database x"',
    'mongosh --eval "db.dropDatabase()"',
  ];
  assertEquals(lines.filter((line) => verdictOf(line) !== "block"), []);
});

Deno.test("judge() says for any text what to do, and never fails", () => {
  const pieces = fc.constantFrom(
    "$(",
    ")",
    "`",
    "'",
    '"',
    "\\",
    "{",
    "}",
    "<<E",
    "\n",
    "rm ",
    ";",
    "|",
  );
  fc.assert(fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => {
    assert(["allow", "ask", "block"].includes(verdictOf(parts.join(""))));
  }));
});

Deno.test("judge() names the rule, the reason and the simple command", () => {
  assertEquals(judge("ls && git -C x reset --hard", { place: PLACE }), {
    verdict: "block",
    rule: "git-discard",
    reason: "it discards changes that are committed nowhere",
    command: "git -C x reset --hard",
  });
});
