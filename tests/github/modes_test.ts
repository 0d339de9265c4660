/**
 * Every command that reads or writes an issue, a thread or a decision prints the same in mode github as in mode local.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { COMMANDS } from "../../lib/commands/mod.ts";
import { everyCall } from "../hostile/every_command.ts";
import { askWords } from "../gate/samples.ts";
import { TempGitHub } from "./temp_github.ts";

/** Headings of the table whose commands deal with issues, threads and decisions. */
const GROUPS = ["Every day", "Agents at work"];

/** These wait until they are ended, deal with observations, files and measured times, or with a pull request. */
const LEFT_OUT =
  /^(?:serve|board|run|clarify wait|clarify watch|memory|stats|digest|log|why|template)\b|--watch|--follow|--pr/;

/** Says what mode it is, on purpose. */
const SAYS_MODE = /^ {4}On GitHub: .*\n?/gm;

/** The command lines of the table. */
async function lines(): Promise<string[][]> {
  const names = COMMANDS.flatMap(({ name, group }) => GROUPS.includes(group ?? "") ? [name] : []);
  return (await everyCall("/")).map(({ words }) => words).filter((words) =>
    [...names, "workflow"].includes(words[0]) && !LEFT_OUT.test(words.join(" "))
  );
}

/** Texts and numbers that differ in any two runs. */
function masked(text: string, place: TempGitHub): string {
  return text.replaceAll(place.temp.root, "ROOT").replaceAll(place.host, "HOST")
    .replaceAll(SAYS_MODE, "")
    .replaceAll(/\bobs-[\w-]+/g, "OBS")
    .replaceAll(/\b(?=[a-z]*\d)[0-9a-z]{6,}\b/g, "RANDOM")
    // The id of a change has 12 characters, in one of fifty no digit.
    .replaceAll(/\b[a-z]{12}\b/g, "RANDOM")
    .replaceAll(/[0-9]+/g, "N")
    .replaceAll(/N(?:\.N)? ?(?:ms|s|m|h|d)\b/g, "TIME")
    .replaceAll(/just now|TIME(?: ago)?/g, "TIME")
    .replaceAll(/ +/g, " ");
}

/** What each line prints, in a workspace with 42 issues of GitHub, a question, an escalation and a question to the human. */
async function printed(mode: "github" | "local"): Promise<Map<string, string>> {
  await using place = await TempGitHub.make();
  place.configure({ deciders: ["bob"] });
  await place.issues(42);
  const { temp } = place;
  if (mode === "local") await temp.run(["config", "set", "mode", "local"]);
  await place.escalate(42);
  await temp.run(["ask", "architect", "--as", "engineer", "--issue", "42", "Which cache?"]);
  await temp.run([...askWords(), "--no-wait"]);
  const all = new Map<string, string>();
  for (const words of await lines()) {
    const { code, out, err } = await temp.run(words, { stdin: "Because it is so.\n" });
    all.set(words.join(" "), masked(`${code}\n${out}\n${err}`, place));
  }
  if (mode === "github") {
    await place.sync();
    assert(place.comments(42).length > 0);
  }
  return all;
}

Deno.test("every command on issues, threads and decisions prints the same in both modes", async () => {
  const [github, local] = [await printed("github"), await printed("local")];
  assert(github.size > 50, `only ${github.size} lines`);
  const differing = [...github].filter(([line, text]) => text !== local.get(line));
  for (const [line, text] of differing) assertEquals(text, local.get(line), line);
  assertEquals(differing, []);
});
