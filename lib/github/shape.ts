// The features of a repository on GitHub beside labels: types of issues, fields, the right to write. Asked once a day.

import { isObject, type JsonObject, listOf, objectOf, stringOf } from "../base/checks.ts";
import type { GitHubClient } from "./client.ts";

/** A field of issues. */
export interface IssueField {
  id: number;
  name: string;
  /** Such as `single_select` or `number`. */
  kind: string;
  options: string[];
}

/** The features of a repository. */
export interface RepositoryShape {
  /** ISO-8601, UTC: when it was asked. */
  at: string;
  /** Whether the token may write there. */
  mayWrite: boolean;
  types: string[];
  fields: IssueField[];
}

/** Statuses of a server or a repository that has no such list. */
const MISSING = [403, 404, 410];

/** Asks. Throws `SYNC_ERROR`. */
export async function askShape(
  client: GitHubClient,
  path: string,
): Promise<Omit<RepositoryShape, "at">> {
  const { permissions, owner, archived } = await client.get(path);
  const lists = async (list: string) => (await client.list(list, { emptyOn: MISSING })).items;
  const isOrganization = objectOf(owner).type === "Organization";
  const types = isOrganization ? await lists(`${path}/issue-types`) : [];
  const login = encodeURIComponent(String(objectOf(owner).login));
  const fields = isOrganization ? await lists(`/orgs/${login}/issue-fields`) : [];
  return {
    mayWrite: objectOf(permissions).push === true && archived !== true,
    types: types.filter(({ is_enabled }) => is_enabled !== false)
      .flatMap(({ name }) => stringOf(name) ?? []),
    fields: fields.flatMap(fieldOf),
  };
}

function fieldOf({ id, name, data_type, options }: JsonObject): IssueField[] {
  if (typeof id !== "number" || typeof name !== "string") return [];
  const names = listOf(options).filter(isObject).flatMap((each) => stringOf(each.name) ?? []);
  return [{ id, name, kind: String(data_type), options: names }];
}
