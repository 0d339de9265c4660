// The real GitHub CLI against the fake, as against a GitHub Enterprise Server.

import { assertEquals } from "@std/assert";

import { FakeGitHub } from "./server.ts";
import { sha } from "./state.ts";

const REPO = "repos/acme/shop";

/** The GitHub CLI with a home of its own, and a fake that it trusts. */
async function cli() {
  const home = Deno.makeTempDirSync();
  const [key, cert] = [`${home}/key.pem`, `${home}/cert.pem`];
  await run("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
    ...["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert],
  ]);
  const tls = { key: Deno.readTextFileSync(key), cert: Deno.readTextFileSync(cert) };
  const github = await FakeGitHub.start({ tls, prefix: "/api/v3" });
  const repository = github.state.repository("acme/shop", { organization: true });
  github.state.token("writer", "ada");
  repository.permissions.set("ada", "write");
  const env = {
    HOME: home,
    GH_CONFIG_DIR: home,
    GH_HOST: new URL(github.url).host,
    GH_ENTERPRISE_TOKEN: "writer",
    GH_NO_UPDATE_NOTIFIER: "1",
    NO_COLOR: "1",
    SSL_CERT_FILE: cert,
  };
  return {
    github,
    repository,
    /** Runs `gh api`, and returns what it printed; a failure begins with "gh:". */
    api: (...args: string[]) => run("gh", ["api", ...args], env),
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      Deno.removeSync(home, { recursive: true });
    },
  };
}

async function run(program: string, args: string[], env?: Record<string, string>) {
  const options = { args, env, stdin: "null" } as const;
  const { success, stdout, stderr } = await new Deno.Command(program, options).output();
  const text = new TextDecoder();
  return (success ? text.decode(stdout) : text.decode(stderr)).trim();
}

const check = ["-c", "gh --version && openssl version"];
const ignore = !new Deno.Command("sh", { args: check, stderr: "null" }).outputSync().success;

Deno.test({
  name: "gh api makes and changes issues, comments, labels and milestones on FakeGitHub",
  ignore,
  async fn() {
    await using cli_ = await cli();
    const { github, repository, api } = cli_;
    assertEquals(await api("user", "--jq", ".login"), "ada");
    await api(`${REPO}/milestones`, "-f", "title=1.0");
    const made = [
      `${REPO}/issues`,
      "-f",
      "title=Login",
      "-f",
      "body=It fails",
      "-F",
      "milestone=1",
    ];
    const lists = ["-f", "labels[]=bug", "-f", "assignees[]=ada", "-f", "type=Bug"];
    const shown = ".number, .labels[0].name, .assignees[0].login, .milestone.title, .type.name";
    assertEquals(
      (await api(...made, ...lists, "--jq", shown)).split("\n"),
      ["1", "bug", "ada", "1.0", "Bug"],
    );
    const closed = ["-f", "state=closed", "-f", "state_reason=not_planned", "-F", "milestone=null"];
    assertEquals(
      await api("-X", "PATCH", `${REPO}/issues/1`, ...closed, "--jq", ".state_reason, .milestone"),
      "not_planned",
    );
    const id = await api(`${REPO}/issues/1/comments`, "-f", "body=Seen", "--jq", ".id");
    await api("-X", "PATCH", `${REPO}/issues/comments/${id}`, "-f", "body=Seen twice");
    assertEquals(await api(`${REPO}/issues/1/comments`, "--jq", ".[].body"), "Seen twice");
    assertEquals(await api("-X", "DELETE", `${REPO}/issues/comments/${id}`), "");
    await api(`${REPO}/labels`, "-f", "name=p1", "-f", "color=ff0000");
    await api(`${REPO}/issues/1/labels`, "-f", "labels[]=p1");
    const left = await api("-X", "DELETE", `${REPO}/issues/1/labels/bug`, "--jq", ".[].name");
    assertEquals(left, "p1");
    await api("-X", "DELETE", `${REPO}/issues/1/assignees`, "-f", "assignees[]=ada");
    assertEquals(repository.issues.get(1)!.assignees, []);
    assertEquals(github.problems, []);
  },
});

Deno.test({
  name: "gh api links issues on FakeGitHub, reads all pages and follows a redirect",
  ignore,
  async fn() {
    await using cli_ = await cli();
    const { github, repository, api } = cli_;
    for (let number = 1; number <= 5; number++) {
      github.state.issue(repository, "ada", { title: `Issue ${number}` });
    }
    const all = [`${REPO}/issues?per_page=2&direction=asc`, "--paginate", "--jq", ".[].number"];
    assertEquals(await api(...all), "1\n2\n3\n4\n5");
    const id = await api(`${REPO}/issues/2`, "--jq", ".id");
    const issue = `${REPO}/issues/1`;
    await api(`${issue}/sub_issues`, "-F", `sub_issue_id=${id}`);
    assertEquals(await api(`${issue}/sub_issues`, "--jq", ".[].number"), "2");
    assertEquals(await api(`${REPO}/issues/2/parent`, "--jq", ".number"), "1");
    await api("-X", "DELETE", `${issue}/sub_issue`, "-F", `sub_issue_id=${id}`);
    const blockers = `${issue}/dependencies/blocked_by`;
    await api(blockers, "-F", `issue_id=${id}`);
    assertEquals(await api(blockers, "--jq", ".[].number"), "2");
    await api("-X", "DELETE", `${blockers}/${id}`);
    assertEquals(await api("orgs/acme/issue-types", "--jq", ".[0].name"), "Task");
    github.state.rename("acme/shop", "acme/store");
    assertEquals(await api(`${REPO}/issues/1`, "--jq", ".title"), "Issue 1");
    assertEquals(await api(`${REPO}/issues`, "-f", "title=After", "--jq", ".number"), "6");
    assertEquals(github.problems, []);
  },
});

Deno.test({
  name: "gh api opens, reviews and merges a pull request on FakeGitHub",
  ignore,
  async fn() {
    await using cli_ = await cli();
    const { github, repository, api } = cli_;
    const commit = { sha: sha("work"), tree: sha("tree"), message: "Fix" };
    const parents = [repository.refs.get("refs/heads/main")!];
    repository.commits.set(commit.sha, { ...commit, parents });
    await api(`${REPO}/git/refs`, "-f", "ref=refs/heads/work", "-f", `sha=${commit.sha}`);
    const made = ["-f", "title=Fix", "-f", "head=work", "-f", "base=main", "-F", "draft=false"];
    assertEquals(await api(`${REPO}/pulls`, ...made, "--jq", ".head.label"), "acme:work");
    assertEquals(await api(`${REPO}/pulls?head=acme:work`, "--jq", ".[].number"), "1");
    const review = ["-f", "event=COMMENT", "-f", "body=fine"];
    assertEquals(await api(`${REPO}/pulls/1/reviews`, ...review, "--jq", ".state"), "COMMENTED");
    const merge = ["-X", "PUT", `${REPO}/pulls/1/merge`, "-f", `sha=${commit.sha}`];
    assertEquals(await api(...merge, "--jq", ".merged"), "true");
    assertEquals(github.problems, []);
  },
});

Deno.test({
  name: "gh api tells what FakeGitHub refuses",
  ignore,
  async fn() {
    await using cli_ = await cli();
    const { github, repository, api } = cli_;
    const said = (...args: string[]) => api(...args, "--silent");
    const issues = `${REPO}/issues`;
    assertEquals(await said(`${issues}/9`), "gh: Not Found (HTTP 404)");
    assertEquals(await said(issues, "-f", "title= "), "gh: Validation Failed (HTTP 422)");
    github.state.issue(repository, "ada", { title: "Login", gone: true });
    assertEquals(await said(`${issues}/1`), "gh: This issue was deleted (HTTP 410)");
    repository.archived = true;
    const archived = "gh: Repository was archived so is read-only. (HTTP 403)";
    assertEquals(await said(issues, "-f", "title=No"), archived);
    assertEquals(github.problems, []);
  },
});
