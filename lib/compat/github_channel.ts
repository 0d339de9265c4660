// Comments on GitHub issues as a channel, `gh:42`; the number is the local number of the issue. It posts in the user's
// name, so GitHub mode must be on, at the level `threads`. Received comments are only text; commands in them are
// handled by `agentx sync`.

import { objectOf, stringOf } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { fenceOf, keyOf, markerOf, publicId } from "../github/posts.ts";
import { settleComment } from "../github/pull_request.ts";
import { githubState } from "../github/read.ts";
import { numberIn } from "../github/record.ts";
import { randomId } from "../lines/line.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import {
  gitHubClient,
  type GitHubPlace,
  gitHubPlace,
  numbersOnGitHub,
} from "../workspace/github.ts";
import { openState } from "../workspace/open_state.ts";
import type { OpenWorkspaceOptions, WorkspaceState } from "../workspace/state.ts";
import type { MessageChannel } from "./channels.ts";

const PREFIX = "gh:";
const MAX_MESSAGE = 60_000;

/** Interval between two requests for new comments. */
const POLL_MS = 60_000;

/**
 * Opens the channel of a workspace in GitHub mode.
 *
 * @throws {AgentxError} `NOT_INITIALISED`, `INVALID_CONFIG`; `INVALID_INPUT` if the workspace is not in GitHub mode
 */
export function gitHubChannel(options: OpenWorkspaceOptions = {}): MessageChannel {
  const state = openState(options);
  const place = gitHubPlace(state);
  if (place === undefined) {
    throw refused("mode", "the workspace is not in mode github", "config set mode github");
  }
  return {
    prefix: PREFIX,
    send: (address, text) => sendTo(address, text, { state, place }),
    receive: (hear, signal) => poll(hear, { state, place, signal }),
  };
}

interface Parts {
  state: WorkspaceState;
  place: GitHubPlace;
}

async function sendTo(address: string, text: string, { state, place }: Parts): Promise<void> {
  const { target, birth, level, outbox } = place;
  if (level !== "threads") {
    const next = "config set --global github.post threads; agentx config set mode github";
    throw refused("github.post", "your settings do not let it post messages of agents", next);
  }
  const issue = Number(/^gh:([1-9]\d{0,8})$/.exec(address)?.[1]);
  const number = (await numbersOnGitHub(state, place))(issue);
  if (number === undefined) {
    throw refused("address", `${address} is no issue of ${place.name}`, "issue list");
  }
  const key = `${publicId(`MSG-${randomId()}`, birth)}/0`;
  const shown = fenceOf(await withoutSecrets(text), MAX_MESSAGE, "agentx log");
  const comment = { key, body: `${await markerOf(key, birth)}\n${shown}` };
  const client = await gitHubClient(place, { tree: state.tree });
  await outbox.during(client, async () => {
    await settleComment(number, comment, { target, client, birth });
    return undefined;
  });
}

/**
 * Calls `hear` with each comment that is newer than the last `agentx sync`, the oldest first. Leaves out comments of
 * this state.
 */
async function poll(
  hear: Parameters<MessageChannel["receive"]>[0],
  { state, place, signal }: Parts & { signal: AbortSignal },
): Promise<void> {
  const { target, birth } = place;
  const path = `/repos/${target.repository}/issues/comments?sort=created&per_page=100`;
  const { looked, comments } = githubState(state.root) ?? {};
  let newest = looked ?? 0;
  let since = comments?.since ?? "1970-01-01T00:00:00Z"; // no comment has been read yet
  for (; !signal.aborted; await sys.wait(POLL_MS, signal).catch(() => signal.aborted)) {
    const client = await gitHubClient(place, { tree: state.tree, signal });
    const { items } = await client.list(`${path}&since=${encodeURIComponent(since)}`);
    const numberOf = await numbersOnGitHub(state, place);
    const here = (await state.issueStore()).scan().issues;
    for (const { id, body, user, issue_url, updated_at } of items) {
      const at = stringOf(updated_at) ?? since;
      if (at > since) since = at;
      const text = stringOf(body) ?? "";
      if (!(Number(id) > newest) || await keyOf(text, birth) !== undefined) continue;
      newest = Number(id);
      const issue = here.find(({ number }) => numberOf(number) === numberIn(issue_url));
      if (issue === undefined) continue;
      const from = stringOf(objectOf(user).login) ?? "";
      hear({ address: `${PREFIX}${issue.number}`, from, text });
    }
  }
}

function refused(field: string, why: string, words: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot use the channel gh: ${why}`, {
    details: { field, value: null },
    next: `See: agentx ${words}`,
  });
}
