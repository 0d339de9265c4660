// Cuts GitHub's description of its REST API to the operations that the fake answers:
//
//   npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz
//   deno run -A tests/github/fake/cut.ts package/generated
//
// The result, `openapi.json`, keeps paths, parameters and schemas, without prose and examples. OpenAPI's
// `nullable` becomes what JSON Schema says for it. It names the operations that GitHub Enterprise Server lacks.

const REPO = "/repos/{owner}/{repo}";
const ISSUE = `${REPO}/issues/{issue_number}`;
const FIELDS = `${ISSUE}/issue-field-values`;

const PULL = `${REPO}/pulls/{pull_number}`;

const OPERATIONS: readonly [path: string, ...methods: string[]][] = [
  ["/rate_limit", "get"],
  ["/user", "get"],
  ["/orgs/{org}/issue-fields", "get"],
  ["/orgs/{org}/issue-types", "get"],
  [REPO, "get"],
  [`${REPO}/issue-types`, "get"],
  [`${REPO}/collaborators/{username}/permission`, "get"],
  [`${REPO}/assignees`, "get"],
  [`${REPO}/assignees/{assignee}`, "get"],
  [`${REPO}/labels`, "get", "post"],
  [`${REPO}/labels/{name}`, "get"],
  [`${REPO}/milestones`, "get", "post"],
  [`${REPO}/milestones/{milestone_number}`, "get"],
  [`${REPO}/issues`, "get", "post"],
  [ISSUE, "get", "patch"],
  [`${ISSUE}/comments`, "get", "post"],
  [`${ISSUE}/labels`, "get", "post", "put", "delete"],
  [`${ISSUE}/labels/{name}`, "delete"],
  [`${ISSUE}/assignees`, "post", "delete"],
  [`${ISSUE}/parent`, "get"],
  [`${ISSUE}/sub_issues`, "get", "post"],
  [`${ISSUE}/sub_issues/priority`, "patch"],
  [`${ISSUE}/sub_issue`, "delete"],
  [`${ISSUE}/dependencies/blocked_by`, "get", "post"],
  [`${ISSUE}/dependencies/blocked_by/{issue_id}`, "delete"],
  [`${ISSUE}/dependencies/blocking`, "get"],
  [FIELDS, "get", "post", "put"],
  [`${FIELDS}/{issue_field_id}`, "delete"],
  [`${REPO}/issues/comments`, "get"],
  [`${REPO}/issues/comments/{comment_id}`, "get", "patch", "delete"],
  [`${REPO}/git/ref/{ref}`, "get"],
  [`${REPO}/git/matching-refs/{ref}`, "get"],
  [`${REPO}/git/refs`, "post"],
  [`${REPO}/git/refs/{ref}`, "patch", "delete"],
  [`${REPO}/git/trees`, "post"],
  [`${REPO}/git/commits`, "post"],
  [`${REPO}/git/commits/{commit_sha}`, "get"],
  [`${REPO}/pulls`, "get", "post"],
  [PULL, "get", "patch"],
  [`${PULL}/files`, "get"],
  [`${PULL}/merge`, "get", "put"],
  [`${PULL}/requested_reviewers`, "get", "post", "delete"],
  [`${PULL}/reviews`, "get", "post"],
  [`${PULL}/reviews/{review_id}`, "get", "put"],
];

/** Prose, examples and what the fake never reads. */
const LEFT_OUT = new Set([
  "description",
  "example",
  "examples",
  "summary",
  "tags",
  "externalDocs",
  "title",
]);

type Json = Record<string, unknown>;

function without(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !(LEFT_OUT.has(key) || key.startsWith("x-")))
      .map((
        [key, item],
      ) => [key, without(item, !isNames && (key === "properties" || key === "schemas"))]),
  );
}

/** A schema of JSON Schema for one of OpenAPI 3.0, where `nullable` stands beside a type. */
function withNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNull);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withNull(item)]),
  );
  if (nullable !== true) return nullable === undefined ? rest : { nullable, ...rest };
  return { anyOf: [rest, { type: "null" }] };
}

function references(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) { for (const item of value) references(item, found); }
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === "$ref" && typeof item === "string") found.add(item);
      else references(item, found);
    }
  }
}

interface Description {
  readonly openapi: string;
  readonly info: Json;
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
  readonly components: Record<string, Json>;
}

function read(file: string): Description {
  return JSON.parse(Deno.readTextFileSync(`${Deno.args[0]}/${file}`));
}

const whole = without(read("api.github.com.json")) as Description;
const enterprise = read("ghes-3.19.json");
const enterpriseLacks: string[] = [];
const paths: Record<string, Json> = {};
for (const [path, ...methods] of OPERATIONS) {
  paths[path] = Object.fromEntries(methods.map((method) => {
    const operation = whole.paths[path]?.[method];
    if (operation === undefined) throw new Error(`GitHub has no ${method} ${path}`);
    const isThere = enterprise.paths[path]?.[method] !== undefined;
    if (!isThere) enterpriseLacks.push(operation.operationId);
    return [method, operation];
  }));
}
const components: Record<string, Json> = {};
const open = new Set<string>();
references(paths, open);
for (const reference of open) {
  const [, , kind, name] = reference.split("/") as [string, string, string, string];
  const value = whole.components[kind]![name];
  (components[kind] ??= {})[name] = value;
  references(value, open);
}
const { openapi, info: { version } } = whole;
const cut = { openapi, info: { version }, enterpriseLacks, paths, components };
const file = new URL("openapi.json", import.meta.url);
Deno.writeTextFileSync(file, JSON.stringify(withNull(cut)) + "\n");
