// The features of a repository on GitHub besides labels: issue types, fields and write access. GitHub is asked once a
// day.

import { isObject, type JsonObject, listOf, objectOf, stringOf } from "../base/checks.ts";
import type { GitHubClient } from "./client.ts";

/** A custom field of issues. */
export interface IssueField {
  id: number;
  name: string;
  /** Such as `single_select` or `number`. */
  kind: string;
  options: string[];
}

/** The features of a repository. */
export interface RepositoryShape {
  /** Time of the request, ISO-8601, UTC. */
  at: string;
  /** Whether the token has write access to the repository. */
  mayWrite: boolean;
  types: string[];
  fields: IssueField[];
}

/** Statuses of a server or a repository that does not have the list. */
const MISSING = [403, 404, 410];

/** Asks GitHub for the features. Throws `SYNC_ERROR`. */
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
