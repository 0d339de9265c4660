import { assertEquals } from "@std/assert";
import { readAncestors } from "../../lib/sys/ancestors.ts";
import { sys } from "../../lib/sys/mod.ts";

/** Processes by id: parent, user, name, command line, variables; null where these may not be read. */
type Row = [
  parent: number,
  user: number,
  name: string,
  words: string[],
  variables: string[] | null,
];

const PROCESSES: Record<number, Row> = {
  7: [6, 1000, "node", ["node", "agentx"], []],
  6: [5, 1000, "sh", ["/bin/sh", "/opt/codex"], ["PATH=/bin:/opt", "CLAUDECODE=1"]],
  5: [4, 0, "sudo", ["sudo"], ["CODEX_CI=1"]],
  4: [1, 1000, "tmux: server", ["tmux"], null],
  1: [0, 0, "init", ["init"], null],
};

function proc(self = "7") {
  return {
    pid: 7,
    readLink: () => self,
    read(path: string): string | undefined {
      const [, pid, file] = /^\/proc\/(\d+)\/(\w+)$/.exec(path) ?? [];
      const [parent, user, name, words, variables] = PROCESSES[Number(pid)];
      if (file === "cmdline") return words.map((word) => `${word}\0`).join("");
      if (file === "status") return `Name:\t${name}\nPPid:\t${parent}\nUid:\t${user}\t0\t0\t0\n`;
      if (variables === null) throw new Error("refused");
      return variables.map((entry) => `${entry}\0`).join("");
    },
  };
}

Deno.test("readAncestors() names those of the same user, and variables that may be read", () => {
  assertEquals(readAncestors(proc()), [
    { pid: 6, programs: ["sh", "/bin/sh", "/opt/codex"], variables: ["PATH", "CLAUDECODE"] },
    { pid: 4, programs: ["tmux: server", "tmux"], variables: undefined },
  ]);
});

Deno.test("readAncestors() says nothing where /proc is another's, or missing", () => {
  assertEquals(readAncestors(proc("4711")), []);
  const read = () => undefined;
  assertEquals(readAncestors({ pid: 7, readLink: () => "7", read }), []);
  const readLink = () => {
    throw new Error("refused");
  };
  assertEquals(readAncestors({ pid: 7, readLink, read }), []);
});

Deno.test("sys.ancestors() begins with the parent", () => {
  const [parent] = sys.ancestors();
  assertEquals(parent.pid, Deno.ppid);
  assertEquals(parent.variables?.includes("PATH"), true);
});
