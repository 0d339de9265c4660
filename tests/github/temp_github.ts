/**
 * A workspace in mode github, and the GitHub that it reads.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { FakeGitHub } from "./fake/server.ts";
import type { Repository } from "./fake/records.ts";

const VARIABLES = [
  "GH_HOST",
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "GITHUB_ENTERPRISE_TOKEN",
];

/** Ends with a look at `github.problems`. */
export class TempGitHub implements AsyncDisposable {
  readonly #before = VARIABLES.map((name) => [name, Deno.env.get(name)] as const);

  private constructor(
    readonly github: FakeGitHub,
    readonly repository: Repository,
    readonly temp: TempWorkspace,
  ) {
    for (const name of VARIABLES) Deno.env.delete(name);
    Deno.env.set("GH_HOST", this.host);
    Deno.env.set("GH_ENTERPRISE_TOKEN", "writer");
  }

  /** The repository acme/shop, which ada may write; a person has turned the mode on. */
  static async make(
    { isOn = true, organization = true, enterprise = false } = {},
  ): Promise<TempGitHub> {
    const github = await FakeGitHub.start({ prefix: "/api/v3", enterprise });
    const repository = github.state.repository("acme/shop", {
      organization,
      fields: [
        { name: "Priority", kind: "single_select", options: ["P0", "P1", "P2"] },
        { name: "Effort", kind: "number", options: [] },
      ],
    });
    github.state.token("writer", "ada");
    repository.permissions.set("ada", "write");
    const temp = new TempWorkspace({ config: { github: { repository: "acme/shop" } } });
    const made = new TempGitHub(github, repository, temp);
    if (isOn) {
      const { code, err } = await made.turnOn();
      assertEquals(code, 0, err);
    }
    return made;
  }

  get host(): string {
    return new URL(this.github.url).host;
  }

  /** Sets who decides on GitHub, and how much is posted. */
  configure(github: { deciders?: string[]; post?: string }): void {
    this.temp.user.configure({ github });
    for (const login of github.deciders ?? []) this.repository.permissions.set(login, "write");
  }

  /** Makes issues there, and reads them. */
  async issues(count: number): Promise<void> {
    for (let number = 1; number <= count; number++) {
      this.github.state.issue(this.repository, "ada", { title: `Issue ${number}` });
    }
    await this.sync();
  }

  /** Asks and escalates; returns the id. Nothing is posted, as by a process that dies then. */
  async escalate(issue: number, question = "PostgreSQL or SQLite?"): Promise<string> {
    const router = await (await openWorkspaceParts({ root: this.temp.root })).router();
    const { clarificationId } = await router.requestClarification({
      ...{ issueNumber: issue, fromAgent: "engineer", toAgent: "architect", blocking: false },
      ...{ topic: question.slice(0, 100), question },
    });
    await router.escalateClarification({ clarificationId, summary: "we do not agree" });
    return clarificationId;
  }

  /** The comments of an issue there, the oldest first. */
  comments(issue: number): { id: number; login: string; body: string }[] {
    return [...this.repository.comments.values()].filter((each) => each.issue === issue);
  }

  /** A comment by an account; the one that agentx posts as is ada. */
  comment(issue: number, login: string, body: string) {
    this.github.state.account(login);
    const { state } = this.github;
    return state.comment(this.repository, this.repository.issues.get(issue)!, login, body);
  }

  /** The public id of a question, as its comment shows it. */
  publicId(id: string): string {
    return `${id}@${this.temp.read(".agentx/state/birth").slice(0, 6)}`;
  }

  turnOn() {
    return this.temp.run(["config", "set", "mode", "github"], { terminal: true, stdin: "y\n" });
  }

  /** Reads; the read succeeds. */
  // deno-lint-ignore no-explicit-any -- a test looks into it
  async sync(): Promise<any> {
    const { code, out, err } = await this.temp.run(["sync", "--json"]);
    assertEquals(code, 0, err);
    return JSON.parse(out).github;
  }

  /** Makes the next read a whole one. */
  async syncWhole() {
    Deno.removeSync(`${this.temp.root}/.agentx/state/github.json`);
    return await this.sync();
  }

  /** Every line of every issue. */
  lines(): string[] {
    return Object.entries(this.temp.snapshot())
      .filter(([path]) => /^\/\.agentx\/issues\/.*\.jsonl$/.test(path))
      .flatMap(([, text]) => text.split("\n").filter((line) => line !== ""));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const [name, value] of this.#before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
    this.temp[Symbol.dispose]();
    await this.github[Symbol.asyncDispose]();
    assertEquals(this.github.problems, []);
  }
}
