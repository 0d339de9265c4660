/**
 * Answers of the real GitHub, as `@octokit/fixtures` recorded them, pass through the client unchanged.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import errorsJson from "@octokit/fixtures/scenarios/api.github.com/errors/normalized-fixture.json" with {
  type: "json",
};
import labelsJson from "@octokit/fixtures/scenarios/api.github.com/add-labels-to-issue/normalized-fixture.json" with {
  type: "json",
};
import pagesJson from "@octokit/fixtures/scenarios/api.github.com/paginate-issues/normalized-fixture.json" with {
  type: "json",
};
import refsJson from "@octokit/fixtures/scenarios/api.github.com/git-refs/normalized-fixture.json" with {
  type: "json",
};
import renamedJson from "@octokit/fixtures/scenarios/api.github.com/rename-repository/normalized-fixture.json" with {
  type: "json",
};
import repositoryJson from "@octokit/fixtures/scenarios/api.github.com/get-repository/normalized-fixture.json" with {
  type: "json",
};
import type { JsonObject } from "../../lib/base/checks.ts";
import { GitHubClient } from "../../lib/github/client.ts";
import { refusal } from "../refusal.ts";

const [errors, labels, pages, refs, renamed, repository] = [
  ...[errorsJson, labelsJson, pagesJson, refsJson, renamedJson, repositoryJson],
] as unknown as Recorded[][];

const client = new GitHubClient({
  ...{ base: "https://api.github.com", token: "secret", name: "github.com/octokit-fixture-org/x" },
});

/** One recorded exchange. */
interface Recorded {
  method: string;
  path: string;
  status: number;
  body?: unknown;
  response: unknown;
  headers: object;
}

/** Answers as the recording says, in its order; the requests that it saw have to be the recorded ones. */
function replay(recording: readonly Recorded[]): Disposable {
  const before = globalThis.fetch;
  const left = [...recording];
  globalThis.fetch = (input, init) => {
    const { pathname, search, origin } = new URL(String(input));
    const { method, path, status, body, response, headers } = left.shift()!;
    const sent = init?.body === undefined || init.body === null
      ? ""
      : JSON.parse(String(init.body));
    assertEquals(
      [origin, init?.method?.toLowerCase(), pathname + search, sent],
      ["https://api.github.com", method, path, body ?? ""],
    );
    const text = status === 204 ? null : JSON.stringify(response);
    return Promise.resolve(
      new Response(text, { status, headers: Object.entries(headers) as [string, string][] }),
    );
  };
  return {
    [Symbol.dispose]() {
      globalThis.fetch = before;
    },
  };
}

const bodyOf = ({ body }: Recorded) => body as JsonObject;

Deno.test("GitHubClient.list() follows GitHub's own links through five pages", async () => {
  using _replay = replay(pages);
  const { items } = await client.list(pages[0].path);
  assertEquals(items, pages.flatMap(({ response }) => response as JsonObject[]));
});

Deno.test("GitHubClient.get() gives a repository as GitHub sent it", async () => {
  using _replay = replay(repository);
  assertEquals(await client.get(repository[0].path), repository[0].response as JsonObject);
});

Deno.test("GitHubClient.send() gives what GitHub made, changed and took away", async () => {
  using _replay = replay([...labels, ...refs.slice(1, 3), ...refs.slice(4)]);
  for (const exchange of labels) {
    const sent = await client.send("POST", exchange.path, bodyOf(exchange));
    assertEquals(sent !== "unclear" && sent.status, exchange.status);
  }
  const [, made, moved, , gone] = refs;
  const ref = await client.send("POST", made.path, bodyOf(made));
  assertEquals(ref, { status: 201, body: made.response as JsonObject });
  const patched = await client.send("PATCH", moved.path, bodyOf(moved));
  assertEquals(patched, { status: 200, body: moved.response as JsonObject });
  assertEquals(await client.send("DELETE", gone.path), { status: 204, body: {} });
});

Deno.test("GitHubClient.send() gives the refusal of a change, and GitHub's words", async () => {
  using _replay = replay(errors);
  const sent = await client.send("POST", errors[0].path, bodyOf(errors[0]));
  assertEquals(sent, { status: 422, body: errors[0].response as JsonObject });
});

Deno.test("GitHubClient names a repository that was renamed", async () => {
  using _replay = replay([renamed[1], renamed[3]]);
  const { message } = await refusal("SYNC_ERROR", () => client.get(renamed[1].path));
  assertEquals(message.includes("renamed or moved"), true, message);
  const sent = await client.send("PATCH", renamed[3].path, bodyOf(renamed[3]));
  assertEquals(sent !== "unclear" && sent.status, 307);
});
