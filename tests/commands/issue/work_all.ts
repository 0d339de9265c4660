/**
 * One of several processes that claim, edit and comment on issues through the command line, until it is
 * killed. Prints a line of JSON for each change that was acknowledged.
 *
 * @module
 */

import { main } from "../../../cli.ts";
import { FakeIo } from "../../cli/fake_io.ts";

const [root, agent] = Deno.args;

async function run(...argv: string[]): Promise<FakeIo | undefined> {
  const io = new FakeIo();
  const code = await main([...argv, "--root", root, "--json"], io);
  if (code === 0) return io;
  const { error } = JSON.parse(io.err.trimEnd().split("\n").at(-1)!);
  // Another one was first, also where none is left to claim.
  if (["NOT_READY", "NOT_FOUND", "LOCK_TIMEOUT"].includes(error.code)) return undefined;
  throw new Error(io.err);
}

for (let count = 0;; count++) {
  const word = `${agent} ${crypto.randomUUID()}`;
  const made = await run("issue", "create", "-t", word, "--as", agent);
  if (made !== undefined) console.log(JSON.stringify({ title: word }));
  const claimed = await run("ready", "--claim", agent);
  if (claimed === undefined) continue;
  const { number } = JSON.parse(claimed.out).issue;
  console.log(JSON.stringify({ claimed: number, agent }));
  const other = String(1 + Math.trunc(Math.random() * number));
  for (const issue of [String(number), other]) {
    const edited = await run("issue", "edit", issue, "-b", word, "--as", agent);
    if (edited !== undefined) console.log(JSON.stringify({ issue: Number(issue), set: word }));
    const said = await run("issue", "comment", issue, "-c", word, "--as", agent);
    if (said !== undefined) console.log(JSON.stringify({ issue: Number(issue), comment: word }));
  }
}
