import { assertEquals } from "@std/assert";
import { AGENTX, ASK, TempWorkspace } from "../temp_workspace.ts";

/** How each shell says what it would offer for some words, the last one unfinished. */
const SHELLS: Record<string, { argv: string[]; ask(words: readonly string[]): string }> = {
  bash: {
    argv: ["bash", "--norc", "-c"],
    ask: (words) =>
      `COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}
_agentx agentx
printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  zsh: {
    argv: ["zsh", "-f", "-c"],
    ask: (words) =>
      `compadd() { print -rl -- $names }
_files() { print files }
words=(${quoted(words)}); CURRENT=${words.length}
_agentx`,
  },
  fish: {
    argv: ["fish", "--no-config", "-c"],
    ask: (words) => `complete -C '${words.join(" ")}' | string split -f1 \\t`,
  },
};

/** What a shell may have to be told before it takes the script. */
const BEFORE: Record<string, string> = { zsh: "compdef() { :; }\n" };

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(" ");
}

async function isInstalled(shell: string): Promise<boolean> {
  try {
    return (await new Deno.Command(shell, { args: ["--version"] }).output()).success;
  } catch {
    console.warn(`${shell} is not on PATH: its completion was not tried`);
    return false;
  }
}

/** A workspace with a question, and `agentx` as a program in it. */
async function makeWorkspace(): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  await temp.run(ASK);
  temp.write("bin/agentx", `#!/bin/sh\nexec ${AGENTX} "$@"\n`);
  Deno.chmodSync(`${temp.root}/bin/agentx`, 0o755);
  return temp;
}

/** What the shell would offer, each word once. */
async function offered(temp: TempWorkspace, shell: string, ...words: string[]): Promise<string[]> {
  const { argv: [program, ...args], ask } = SHELLS[shell];
  const { out: script } = await temp.run(["completions", shell]);
  const { stdout, stderr } = await new Deno.Command(program, {
    args: [...args, `${BEFORE[shell] ?? ""}${script}\n${ask(["agentx", ...words])}`],
    cwd: temp.root,
    env: { PATH: `${temp.root}/bin:${Deno.env.get("PATH")}` },
  }).output();
  assertEquals(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "").sort();
}

for (const shell of Object.keys(SHELLS)) {
  const ignore = !await isInstalled(shell);

  Deno.test({
    name: `completions ${shell} completes commands and subcommands`,
    ignore,
    async fn() {
      using temp = await makeWorkspace();
      assertEquals(await offered(temp, shell, "cla"), ["clarify"]);
      assertEquals(await offered(temp, shell, "config", ""), ["get", "set", "show", "unset"]);
    },
  });

  Deno.test({
    name: `completions ${shell} completes flags and their values`,
    ignore,
    async fn() {
      using temp = await makeWorkspace();
      assertEquals(await offered(temp, shell, "clarify", "ask", "--non"), ["--non-blocking"]);
      assertEquals(await offered(temp, shell, "clarify", "ask", "--to", "archi"), ["architect"]);
      assertEquals(await offered(temp, shell, "state", "--set", "st"), ["stuck"]);
    },
  });

  Deno.test({
    name: `completions ${shell} completes issues and clarifications`,
    ignore,
    async fn() {
      using temp = await makeWorkspace();
      assertEquals(await offered(temp, shell, "clarify", "--issue", ""), ["42"]);
      assertEquals(await offered(temp, shell, "clarify", "answer", ""), ["CLR-42-001"]);
      assertEquals(
        await offered(temp, shell, "clarify", "answer", "CLR-7"),
        {
          bash: [],
          zsh: ["files"],
          fish: [],
        }[shell],
      );
    },
  });
}

/** Behind an alias there is no program of that name; each shell asks as it does on a TAB. */
const ALIASED: Record<string, string> = {
  bash: `shopt -s expand_aliases\nalias agentx='${AGENTX}'\n`,
  zsh: `setopt complete_aliases\nalias agentx='${AGENTX}'\n`,
};

for (const shell of Object.keys(ALIASED)) {
  const ignore = !await isInstalled(shell);
  Deno.test({
    name: `completions ${shell} completes an alias`,
    ignore,
    async fn() {
      using temp = new TempWorkspace();
      const printed = await new Deno.Command("sh", {
        args: ["-c", `${AGENTX} completions ${shell}`],
      }).output();
      const { argv: [program, ...args], ask } = SHELLS[shell];
      const script = new TextDecoder().decode(printed.stdout);
      const { stdout, stderr } = await new Deno.Command(program, {
        args: [
          ...args,
          `${ALIASED[shell]}${BEFORE[shell] ?? ""}${script}\n${ask(["agentx", "cla"])}`,
        ],
        cwd: temp.root,
      }).output();
      assertEquals(new TextDecoder().decode(stderr), "");
      assertEquals(new TextDecoder().decode(stdout).trim(), "clarify");
    },
  });
}

Deno.test("completions refuses a shell that it does not know", async () => {
  using temp = new TempWorkspace();
  assertEquals((await temp.run(["completions", "tcsh"])).code, 2);
});

Deno.test("completions --json has the script", async () => {
  using temp = new TempWorkspace();
  const { kind, shell, script } = await temp.json(["completions", "bash"]);
  const { out } = await temp.run(["completions", "bash"]);
  assertEquals([kind, shell, script], ["completions", "bash", out]);
});
