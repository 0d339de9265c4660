// An asking agent as a process: it gets its cases settled one after the other, through one of the two
// systems. Prints a line of JSON for each.

import { hasCode } from "../../lib/base/errors.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { type Case, limitIn, MAX_ATTEMPTS, questionOf } from "./cases.ts";
import {
  appendLine,
  linesFrom,
  mailPath,
  type Message,
  readCases,
  RETRY_DELAY_MS,
  rootOf,
  type SystemName,
  timeoutOf,
} from "./folder.ts";
import type { Report } from "./judge.ts";

/** How an asker reaches the others. */
interface Channel {
  /** What came back; null where nothing will. */
  ask(asked: Case, attempt: number): Promise<string | null>;
  /** Ends a case whose answer was found. */
  settle(asked: Case, answer: string): Promise<void>;
}

const POLL_MS = 20;

async function hub(folder: string): Promise<Channel> {
  const router = await (await openWorkspaceParts({ root: rootOf(folder) })).router();
  const ids = new Map<string, string>();
  return {
    async ask(asked, attempt) {
      const question = questionOf(asked, attempt);
      const clarificationId = ids.get(asked.id);
      try {
        const outcome = clarificationId === undefined
          ? await router.requestClarification({
            issueNumber: asked.issue,
            fromAgent: asked.asker,
            toAgent: asked.target,
            topic: `Limit of ${asked.id}`,
            question,
            blocking: true,
          })
          : await router.followUp({ clarificationId, question });
        ids.set(asked.id, outcome.clarificationId);
        return outcome.answer;
      } catch (error) {
        if (!hasCode(error, "MAX_ROUNDS_EXCEEDED")) throw error;
        return null;
      }
    },
    async settle(asked, resolutionBody) {
      const clarificationId = ids.get(asked.id)!;
      await router.resolveClarification({ clarificationId, resolutionBody });
    },
  };
}

/** A message counts as sent once it is written; the asker waits for as long as it would at the hub. */
function mailbox(folder: string, asker: string): Channel {
  const inbox = mailPath(folder, asker);
  let read = 0;
  return {
    async ask(asked, attempt) {
      const { target } = asked;
      appendLine(mailPath(folder, target), { from: asker, text: questionOf(asked, attempt) });
      const endMs = performance.now() + 2 * timeoutOf(target) + RETRY_DELAY_MS;
      while (performance.now() < endMs) {
        const messages: Message[] = linesFrom(inbox, read);
        read += messages.length;
        const reply = messages.find(({ from }) => from === target);
        if (reply !== undefined) return reply.text;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      return null;
    },
    async settle() {},
  };
}

async function settle(asked: Case, channel: Channel): Promise<Report> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const reply = await channel.ask(asked, attempt);
    if (reply === null) return { id: asked.id, questions: attempt, limit: null };
    const limit = limitIn(reply);
    if (limit === null) continue;
    await channel.settle(asked, reply);
    return { id: asked.id, questions: attempt, limit };
  }
  return { id: asked.id, questions: MAX_ATTEMPTS, limit: null };
}

const [asker, folder, system] = Deno.args as [string, string, SystemName];
const channel = system === "agentx" ? await hub(folder) : mailbox(folder, asker);
for (const asked of readCases(folder)) {
  if (asked.asker === asker) console.log(JSON.stringify(await settle(asked, channel)));
}
