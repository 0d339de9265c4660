// Accounts, in the form of GitHub's REST answers.

import type { Json, Site } from "../call.ts";
import type { Repository } from "../records.ts";

const LINKS = [
  "followers",
  "following",
  "gists",
  "starred",
  "subscriptions",
  "repos",
  "events",
  "received_events",
  "organizations",
];

/** The id by which GraphQL names a thing. */
export function node(kind: string, id: number): string {
  return `${kind}_${id}`;
}

/** The address for browsers, beside that of the API. */
export function webUrl(site: Site): string {
  return site.base.replace(/\/api\/v3$/, "");
}

export function userView(site: Site, login: string): Json {
  const account = site.state.account(login);
  const url = `${site.base}/users/${login}`;
  return {
    login,
    id: account.id,
    node_id: node("U", account.id),
    avatar_url: `${url}/avatar`,
    gravatar_id: "",
    url,
    html_url: `${webUrl(site)}/${login}`,
    type: account.type,
    site_admin: false,
    user_view_type: "public",
    ...Object.fromEntries(LINKS.map((link) => [`${link}_url`, `${url}/${link}`])),
  };
}

/** The answer of `/user`. */
export function selfView(site: Site, login: string): Json {
  const nothing = "name company blog location email hireable bio".split(" ");
  const counts = "public_repos public_gists followers following".split(" ");
  const time = "2020-01-01T00:00:00Z";
  return {
    ...userView(site, login),
    ...Object.fromEntries(nothing.map((name) => [name, null])),
    ...Object.fromEntries(counts.map((name) => [name, 0])),
    created_at: time,
    updated_at: time,
  };
}

/** How the author of a text stands to the repository. */
export function associationOf(repository: Repository, login: string): string {
  if (repository.owner.login === login) return "OWNER";
  return repository.permissions.has(login) ? "COLLABORATOR" : "NONE";
}
