// What goes wrong between the fake GitHub and a client, where a test asks for it.

import type { ServerResponse } from "node:http";

import type { Answer } from "./call.ts";

/** What goes wrong with one request. "before" and "after" say whether GitHub has done the work by then. */
export type Fault =
  | {
    readonly kind: "status";
    readonly status: number;
    readonly when: "before" | "after";
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }
  | { readonly kind: "drop"; readonly when: "before" | "after" }
  | { readonly kind: "late"; readonly status: number; readonly ms: number }
  | { readonly kind: "slow"; readonly ms: number }
  | { readonly kind: "half" }
  | { readonly kind: "silence" };

/** Fails as `fault` says; `answer` does the work of the request. */
export async function fail(
  fault: Exclude<Fault, { kind: "slow" }>,
  response: ServerResponse,
  answer: () => Answer,
): Promise<void> {
  switch (fault.kind) {
    case "silence":
      return;
    case "late":
      response.writeHead(fault.status).end("late");
      await sleep(fault.ms);
      answer();
      return;
    case "half": {
      const bytes = new TextEncoder().encode(JSON.stringify(answer().body ?? {}));
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": bytes.length,
      });
      response.write(bytes.slice(0, bytes.length / 2), () => response.destroy());
      return;
    }
    case "drop":
      if (fault.when === "after") answer();
      response.destroy();
      return;
    case "status":
      if (fault.when === "after") answer();
      response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers })
        .end(fault.body ?? "{}");
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
