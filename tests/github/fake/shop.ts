// A fake GitHub with one repository, and accounts that ask it as curl would.

import { FakeGitHub, type FakeOptions } from "./server.ts";

export const REPO = "/repos/acme/shop";

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any -- a test looks into it
  readonly body: any;
}

/** Asks with a token and an agent name, and nothing else. */
export function asking(github: FakeGitHub, token: string) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const response = await fetch(path.startsWith("http") ? path : github.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "user-agent": "test", ...headers },
      redirect: "manual",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
  };
}

/** The repository acme/shop, which ada may write, tom may triage and eve may read. */
export async function shop(options: FakeOptions & { readonly organization?: boolean } = {}) {
  const github = await FakeGitHub.start(options);
  const { state } = github;
  const repository = state.repository("acme/shop", {
    organization: options.organization ?? true,
    fields: [{ name: "Priority", kind: "single_select", options: ["P0", "P1", "P2"] }],
  });
  for (
    const [login, permission] of [["ada", "write"], ["tom", "triage"], ["eve", "read"]] as const
  ) {
    state.token(login, login);
    if (permission !== "read") repository.permissions.set(login, permission);
  }
  const [ada, tom, eve] = ["ada", "tom", "eve"].map((login) => asking(github, login));
  return { github, state, repository, ada: ada!, tom: tom!, eve: eve! };
}
