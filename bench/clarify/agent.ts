// A scripted agent as a process: prompt on standard input, reply on standard output. It behaves in the
// same manner whichever system runs it.

import { answerOf, type Case } from "./cases.ts";
import { appendLine, linesFrom, mailPath, readCases, runsPath, type SystemName } from "./folder.ts";

const CLI = new URL("../../cli.ts", import.meta.url).pathname;

const [name, folder, system] = Deno.args as [string, string, SystemName];
const prompt = await new Response(Deno.stdin.readable).text();
const [, asker] = /The agent "([^"]+)"/.exec(prompt)!;
const [, id, attempt] = /Case (K\d+), attempt (\d)/.exec(prompt)!;
const asked = readCases(folder).find((one) => one.id === id)!;
appendLine(runsPath(folder), id);

const reply = await replyTo(asked);
if (reply !== undefined) console.log(reply);

async function replyTo(asked: Case): Promise<string | undefined> {
  switch (asked.target) {
    case "honest":
      return answerOf(asked);
    case "vague":
      return Number(attempt) < asked.attempts ? "It depends on the load." : answerOf(asked);
    case "silent":
      await new Promise((resolve) => setTimeout(resolve, 600_000));
      return undefined;
    case "lying":
      return lie(asked);
    case "circling":
      return await askBack(asked);
  }
}

function lie(asked: Case): string {
  const { form, lasts } = asked.lie!;
  const runs = linesFrom(runsPath(folder)).filter((one) => one === id).length;
  if (!lasts && runs > 1) return answerOf(asked);
  const result = 'API Error: 529 {"type":"overloaded_error","message":"Overloaded"}';
  return form === "plain" ? result : JSON.stringify({ type: "result", is_error: true, result });
}

/**
 * It says nothing until its own question is answered, which its asker cannot do: it asks for lack of
 * just that. Once it hears that a human has its question, it goes on with what it knows.
 */
async function askBack(asked: Case): Promise<string | undefined> {
  const question = `Before I say anything about ${id}: which limit do you need?`;
  if (system === "mailbox") {
    appendLine(mailPath(folder, asker), { from: name, text: question });
    return undefined;
  }
  const ask = ["clarify", "ask", "--issue", `${asked.issue}`, "--to", asker];
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", CLI, ...ask, "--topic", `Need of ${id}`, question],
    stdin: "null",
    stdout: "null",
  }).output();
  const isWithHuman = code === 7;
  return isWithHuman ? answerOf(asked) : "I am still waiting to hear from you.";
}
