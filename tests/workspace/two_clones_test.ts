/**
 * Two clones of one repository, merged by git itself: both make an issue, note something about it and
 * ask, and each finds its own again after the merge.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { TempUser } from "../temp_user.ts";
import { TempRepository, testWithGit } from "./temp_repository.ts";

/** The clones `main` and `second`, each with a workspace. */
class TwoClones implements Disposable {
  readonly #user = new TempUser();
  readonly #repository = new TempRepository();
  readonly ours = this.#repository.root;
  readonly theirs = `${this.#repository.outside}/second`;

  static async make({ hasAttributes }: { hasAttributes: boolean }): Promise<TwoClones> {
    const clones = new TwoClones();
    await clones.run(clones.ours, ["init"]);
    if (!hasAttributes) Deno.removeSync(`${clones.ours}/.gitattributes`);
    await clones.run(clones.ours, ["issue", "create", "-t", "Of both"]);
    await clones.note(clones.ours, 1, "Both begin with this");
    clones.commit(clones.ours);
    clones.git(clones.ours, "clone", "--quiet", clones.ours, clones.theirs);
    return clones;
  }

  // deno-lint-ignore no-explicit-any -- a test looks into it
  async run(root: string, argv: string[]): Promise<any> {
    const io = new FakeIo();
    const code = await main(["--root", root, ...argv, "--json"], io);
    return { code, ...JSON.parse(io.out || io.err) };
  }

  async note(root: string, issue: number, text: string): Promise<void> {
    await this.run(root, ["memory", "note", "--agent", "pm", "--issue", `${issue}`, text]);
  }

  /** An issue with a comment, a note and a question of its own, and a note on the old one. */
  async work(root: string, who: string): Promise<void> {
    const { issue } = await this.run(root, ["issue", "create", "-t", `Of ${who}`]);
    const number = `${issue.number}`;
    await this.run(root, ["issue", "comment", "-n", number, "-c", `${who} looked at it`]);
    await this.note(root, issue.number, `The note of ${who}`);
    await this.note(root, 1, `What ${who} found out about the old one`);
    const names = ["--from", "engineer", "--to", "architect", "--topic", `Question of ${who}`];
    await this.run(root, ["clarify", "ask", "--issue", number, ...names, `Which #${number}?`]);
    await this.run(root, ["loop", "start", number]);
    this.commit(root);
  }

  git(root: string, ...args: string[]): void {
    this.#repository.gitIn(root, ...args);
  }

  commit(root: string): void {
    this.git(root, "add", "--all");
    this.git(root, "commit", "--quiet", "--allow-empty", "--message", "work");
  }

  pull(to: string, from: string): void {
    this.git(to, "pull", "--quiet", "--no-rebase", "--no-edit", from, "HEAD");
  }

  async titles(root: string): Promise<string[]> {
    const { issues } = await this.run(root, ["issue", "list"]);
    return issues.map(({ number, title }: { number: number; title: string }) =>
      `${number} ${title}`
    );
  }

  async notes(root: string, issue: number): Promise<string[]> {
    const { observations } = await this.run(root, ["memory", "export"]);
    return observations
      .filter(({ issueNumber }: { issueNumber: number }) => issueNumber === issue)
      .map(({ content }: { content: string }) => content).sort();
  }

  async questions(root: string): Promise<string[]> {
    const { clarifications } = await this.run(root, ["clarify"]);
    return clarifications.map(({ id, topic }: { id: string; topic: string }) => `${id} ${topic}`);
  }

  [Symbol.dispose](): void {
    this.#repository[Symbol.dispose]();
    this.#user[Symbol.dispose]();
  }
}

testWithGit(
  "git merges two clones without a conflict, and doctor --fix tells their issues apart",
  async () => {
    using clones = await TwoClones.make({ hasAttributes: true });
    const { ours, theirs } = clones;
    await clones.work(ours, "ours");
    await clones.work(theirs, "theirs");
    clones.pull(ours, theirs); // it throws where there is a conflict
    assertEquals((await clones.notes(ours, 1)).length, 3);

    const { findings } = await clones.run(ours, ["doctor", "--fix"]);
    assert(
      findings.every(({ level }: { level: string }) => level !== "fail"),
      JSON.stringify(findings),
    );
    assertEquals(await clones.titles(ours), ["1 Of both", "2 Of ours", "3 Of theirs"]);
    assertEquals(await clones.notes(ours, 2), ["The note of ours"]);
    assertEquals(await clones.notes(ours, 3), ["The note of theirs"]);
    assertEquals(await clones.questions(ours), ["CLR-2-001 Question of ours"]);
    clones.commit(ours);

    clones.pull(theirs, ours);
    const before = await clones.run(theirs, ["doctor"]);
    assert(JSON.stringify(before.findings).includes("agentx doctor --fix"));
    const after = await clones.run(theirs, ["doctor", "--fix"]);
    const [mention] = after.findings.filter(({ check }: { check: string }) => check === "mentions");
    assertEquals(mention.message, "texts that mention #2 may mean what is now #3: CLR-3-001");
    assertEquals(await clones.titles(theirs), await clones.titles(ours));
    assertEquals(await clones.notes(theirs, 3), ["The note of theirs"]);
    assertEquals(await clones.questions(theirs), ["CLR-3-001 Question of theirs"]);
    const { loops } = await clones.run(theirs, ["loop", "status"]);
    assertEquals(loops.map(({ issueNumber }: { issueNumber: number }) => issueNumber), [3]);
    const { agents } = await clones.run(theirs, ["state"]);
    assertEquals(JSON.stringify(agents).includes('"issue":2'), false, JSON.stringify(agents));
  },
);

testWithGit(
  "two clones without attributes merge all the same, and doctor --fix renumbers",
  async () => {
    using clones = await TwoClones.make({ hasAttributes: false });
    const { ours, theirs } = clones;
    await clones.work(ours, "ours");
    await clones.work(theirs, "theirs");
    clones.pull(ours, theirs); // it throws where there is a conflict
    assertEquals(await clones.titles(ours), ["1 Of both", "2 Of ours", "2 Of theirs"]);
    assertEquals((await clones.notes(ours, 1)).length, 3);
    await clones.run(ours, ["doctor", "--fix"]);
    assertEquals(await clones.titles(ours), ["1 Of both", "2 Of ours", "3 Of theirs"]);
    assertEquals(await clones.notes(ours, 3), ["The note of theirs"]);
  },
);
