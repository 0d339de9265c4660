// Describes the change of an issue, in words that follow a name. Pure.

/** The words by kind of change, with the new value in braces. */
const WORDS: Readonly<Record<string, string>> = {
  create: "opened it",
  created: "opened it",
  comment: "commented on it",
  status: "moved it to {to}",
  title: "renamed it to {to}",
  body: "edited its description",
  labels: "changed its labels",
  assignees: "assigned it to {to}",
  parent: "changed its parent",
  due: "set its due date to {to}",
  milestone: "set its milestone to {to}",
  linkedUids: "linked it",
  delete: "deleted it",
  deleted: "deleted it",
  undo: "undid a change",
  validated: "validated {to}",
  approved: "approved {to}",
  returned: "sent back {to}",
  restarted: "restarted {to}",
  decided: "decided about a step",
  taken: "decided to take {to}",
  "left out": "left out {to}",
};

/**
 * Returns the words for a change.
 *
 * @param kind of the change, such as `status`
 * @param to the new value; null for none, undefined if it is unknown
 */
export function editWords(kind: string, to?: string | null): string {
  const words = Object.hasOwn(WORDS, kind) ? WORDS[kind] : `changed its ${kind}`;
  return to === undefined
    ? words.replace(/ (?:to )?\{to\}/, "")
    : words.replace("{to}", to ?? "none");
}
