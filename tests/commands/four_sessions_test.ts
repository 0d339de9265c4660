/**
 * Four sessions in one repository, as processes: two of a role that ask, two of a role that answer, one
 * of each in a worktree.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { LedgerFile } from "../../lib/clarify/schema.ts";
import type { AgentStatusFile } from "../../lib/clarify/status_file.ts";
import { ended, spawnAgentx } from "../temp_workspace.ts";
import { TempUser } from "../temp_user.ts";
import { TempRepository, testWithGit } from "../workspace/temp_repository.ts";

const ISSUES_EACH = 2;

/** What a host sets for the commands of one of its sessions. */
const HOSTS = {
  claude: (id: string) => ({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: id }),
  codex: (id: string) => ({ CODEX_CI: "1", CODEX_SESSION_ID: id, CODEX_THREAD_ID: id }),
};

/** One session: where it works, and how its commands ended. */
class Session {
  readonly #cwd: string;
  readonly #env: Record<string, string>;

  constructor(cwd: string, host: keyof typeof HOSTS, digits: string) {
    this.#cwd = cwd;
    this.#env = HOSTS[host](`01a20384-7e8f-74f3-84a5-63f87f17${digits}`);
  }

  /** Runs a command line; an exit code other than those that are expected is an error. */
  async run(words: readonly string[], codes: readonly number[] = [0]): Promise<string> {
    const { code, out, err } = await ended(spawnAgentx(words, { cwd: this.#cwd, env: this.#env }));
    assert(codes.includes(code), `${words.join(" ")}: ${code}\n${out}${err}`);
    return out;
  }
}

/** Works on issues one after the other, each with a question and a follow-up, as a real session does. */
async function engineer(session: Session, first: number): Promise<void> {
  for (let issue = first; issue < first + ISSUES_EACH; issue++) {
    await session.run(["hook", "start", "engineer", `${issue}`]);
    const id = `CLR-${issue}-001`;
    const about = [
      "--issue",
      `${issue}`,
      "--from",
      "engineer",
      "--to",
      "architect",
      "--topic",
      "DB",
    ];
    for (const [target, question] of [[about, "Which?"], [[id], "And pooling?"]] as const) {
      await session.run(["clarify", "ask", ...target, `${question} #${issue}`], [7]);
      const answer = await session.run(["clarify", "wait", id, "--timeout", "60s"]);
      assert(answer.includes(`To: ${question} #${issue}`), answer);
    }
    await session.run(["clarify", "resolve", id, "Clear."]);
  }
  await session.run(["hook", "finish", "engineer"]);
}

/** Answers what one of the others asks, until nothing more is asked. */
async function architect(session: Session, asker: string, isOver: () => boolean): Promise<void> {
  await session.run(["hook", "start", "architect", "1"]);
  while (!isOver()) {
    const { clarifications } = JSON.parse(await session.run(["clarify", "--json"]));
    for (const { id, from, thread, status } of clarifications) {
      if (status !== "pending" || from !== asker) continue;
      const answer = `To: ${thread.at(-1).body}`;
      await session.run(["clarify", "answer", id, answer, "--as", "architect"]);
    }
  }
}

testWithGit(
  "four sessions work beside each other, and no question is lost or abandoned",
  async () => {
    using _user = new TempUser();
    using repository = new TempRepository();
    const { root } = repository;
    assertEquals((await ended(spawnAgentx(["init"], { cwd: root }))).code, 0);
    repository.git("add", ".");
    repository.git("commit", "--quiet", "--message", "workspace");
    const tree = repository.worktree();

    let working = true;
    const asking = Promise.all([
      engineer(new Session(root, "claude", "3f2a"), 10),
      engineer(new Session(tree, "claude", "9c80"), 20),
    ]).finally(() => working = false);
    await Promise.all([
      asking,
      architect(new Session(tree, "codex", "0f13"), "engineer@claude-3f2a", () => !working),
      architect(new Session(root, "codex", "77aa"), "engineer@claude-9c80", () => !working),
    ]);

    const read = (path: string) =>
      JSON.parse(Deno.readTextFileSync(`${root}/.agentx/state/${path}`));
    for (
      const [first, name] of [[10, "engineer@claude-3f2a"], [20, "engineer@claude-9c80"]] as const
    ) {
      for (let issue = first; issue < first + ISSUES_EACH; issue++) {
        const ledger: LedgerFile = read(`clarifications/issue-${issue}.json`);
        const [{ status, from, round, thread }] = ledger.clarifications;
        assertEquals([ledger.clarifications.length, status, from, round], [1, "resolved", name, 2]);
        const own = thread.filter(({ type }) => type !== "answer").map(({ from }) => from);
        assertEquals(own, [name, name, name]);
        const others = thread.filter(({ type }) => type === "answer").map(({ from }) => from);
        assert(others.every((from) => /^architect@codex-(0f13|77aa)$/.test(from)), others.join());
      }
    }
    const status: AgentStatusFile = read("agent-status.json");
    assertEquals(Object.keys(status).sort(), ["architect", "engineer"]);
    const sessions = { ...status.architect.sessions, ...status.engineer.sessions };
    assertEquals(
      Object.entries(sessions).map(([name, { base }]) => `${name} ${base.status}`).sort(),
      [
        "architect@codex-0f13 working",
        "architect@codex-77aa working",
        "engineer@claude-3f2a done",
        "engineer@claude-9c80 done",
      ],
    );
  },
);
