import { assertEquals, assertThrows } from "@std/assert";
import { AgentxError } from "../../lib/base/errors.ts";
import { judge } from "../../lib/guard/judge.ts";
import { combined, parsePolicy } from "../../lib/guard/policy.ts";

const PLACE = { root: "/work/app", cwd: "/work/app", home: "/home/ann" };

function verdictOf(line: string, { user = "", repository = "" }): string {
  const policy = combined(parsePolicy(user, "policy.toml"), parsePolicy(repository, "policy.toml"));
  return judge(line, { place: PLACE, policy }).verdict;
}

function rule(id: string, verdict: string): string {
  return `[rules]\n${id} = "${verdict}"\n`;
}

function command(key: string, value: string, verdict: string): string {
  return `[[commands]]\n${key} = "${value}"\nverdict = "${verdict}"\n`;
}

Deno.test("a repository makes verdicts stricter, never milder", () => {
  assertEquals(verdictOf("npm test", { repository: rule("project-task", "block") }), "block");
  assertEquals(
    verdictOf("npm publish", { repository: command("command", "npm publish", "block") }),
    "block",
  );
  assertEquals(verdictOf("git push -f", { repository: rule("git-rewrite", "allow") }), "block");
  assertEquals(verdictOf("curl x", { repository: command("command", "curl", "allow") }), "ask");
});

Deno.test("the user's own file makes verdicts milder, and wins", () => {
  const repository = rule("network", "block");
  assertEquals(verdictOf("curl x", { user: rule("network", "allow"), repository }), "allow");
  assertEquals(verdictOf("git push -f", { user: rule("git-rewrite", "ask") }), "ask");
  assertEquals(verdictOf("cp a b", { user: command("command", "cp", "allow") }), "allow");
});

Deno.test("a command that the user allows may not hide what a rule blocks", () => {
  const user = command("command", "git push", "allow");
  assertEquals(verdictOf("git push origin x", { user }), "allow");
  assertEquals(verdictOf("git push --force", { user }), "block");
  assertEquals(verdictOf("git push; rm -rf /", { user }), "block");
});

Deno.test("a line that the user allows is exactly that line", () => {
  const user = command("line", "npm install left-pad", "allow");
  assertEquals(verdictOf("npm install left-pad", { user }), "allow");
  assertEquals(verdictOf("npm install left-pad evil", { user }), "ask");
  assertEquals(verdictOf('npm install "left-pad" && ls', { user }), "allow");
  assertEquals(verdictOf("npm install left-pad >>~/.bashrc", { user }), "ask");
  assertEquals(verdictOf("PATH=.:/evil npm install left-pad", { user }), "ask");
  assertEquals(verdictOf(">x", { user: rule("write", "allow") }), "allow");
});

Deno.test("a policy that says what none can is refused with its line", () => {
  for (
    const text of [
      rule("no-such-rule", "ask"),
      rule("network", "maybe"),
      "x = 1\n",
      "[[commands]]\n",
    ]
  ) {
    const error = assertThrows(() => parsePolicy(text, "policy.toml"), AgentxError);
    assertEquals(error.code, "INVALID_CONFIG");
  }
});
