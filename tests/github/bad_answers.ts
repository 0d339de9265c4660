/**
 * Answers that a client must not trust, or that refuse all it asks.
 *
 * @module
 */

import type { Fault } from "./fake/server.ts";

const away = { location: "http://127.0.0.1:1/repos/acme/shop/issues/1" };
const past = { "retry-after": "Sat, 01 Jan 2000 00:00:00 GMT" };
const archived = '{"message":"Repository was archived so is read-only."}';

export const BAD_ANSWERS: readonly (readonly [name: string, fault: Fault])[] = [
  ["no JSON", { kind: "status", status: 200, when: "before", body: "<html>" }],
  ["half an answer", { kind: "half" }],
  ["another host", { kind: "status", status: 301, when: "before", headers: away }],
  ["a limit in the past", { kind: "status", status: 403, when: "before", headers: past }],
  ["a bad token", { kind: "status", status: 401, when: "before" }],
  ["no right", { kind: "status", status: 403, when: "before" }],
  ["an archived repository", { kind: "status", status: 403, when: "before", body: archived }],
];
