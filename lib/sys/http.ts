// A server of HTTP on this machine, for this machine alone.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { ioError } from "./io_error.ts";

/** A page needs a handful; what opens more is not one. */
const MAX_CONNECTIONS = 256;

/** Nobody types a request by hand. */
const REQUEST_TIMEOUT_MS = 10_000;

/** A server that listens. */
export interface LoopbackServer {
  port: number;
  /** Ends every connection, and returns when none is left. */
  close(): Promise<void>;
}

/**
 * Answers requests on this machine; port 0 is a free one. Throws `IO_ERROR` where the port is
 * taken.
 */
export async function serveLoopback(
  answer: (request: Request) => Response | Promise<Response>,
  port: number,
): Promise<LoopbackServer> {
  const server = createAdaptorServer({ fetch: answer }) as Server;
  server.maxConnections = MAX_CONNECTIONS;
  server.headersTimeout = REQUEST_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(ioError("listen on", `127.0.0.1:${port}`, cause)));
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
