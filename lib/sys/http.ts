// An HTTP server on this machine, reachable only from this machine. Node's modules are loaded when a server starts,
// because every other command would pay for them.

import type { IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ioError } from "./io_error.ts";

/**
 * The maximum number of connections. A page needs only a few. Beyond the maximum, the oldest connection without a
 * response is closed.
 */
const MAX_CONNECTIONS = 256;

/** The time limit for a request. Programs send requests at once. */
const REQUEST_TIMEOUT_MS = 10_000;

/** A running server. */
export interface LoopbackServer {
  port: number;
  /** Ends every connection, and returns when no connection is left. */
  close(): Promise<void>;
}

/**
 * Starts a server that answers requests from this machine. Port 0 selects a free port. Throws `IO_ERROR` if the port
 * is taken.
 */
export async function serveLoopback(
  answer: (request: Request) => Response | Promise<Response>,
  port: number,
): Promise<LoopbackServer> {
  const { createServer } = await import("node:http");
  const { pipeline, Readable } = await import("node:stream");

  function requestOf({ method = "GET", url = "/", rawHeaders }: IncomingMessage, body: unknown) {
    const headers = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2) {
      headers.append(rawHeaders[at], rawHeaders[at + 1]);
    }
    const init = method === "GET" || method === "HEAD"
      ? { method, headers }
      : { method, headers, body: body as ReadableStream, duplex: "half" };
    return new Request(new URL(url, "http://127.0.0.1"), init);
  }

  async function answerTo(incoming: IncomingMessage): Promise<Response> {
    let request: Request;
    try {
      request = requestOf(incoming, Readable.toWeb(incoming));
    } catch {
      return new Response("This is no request", { status: 400 });
    }
    return await answer(request);
  }

  const idle = new Set<Socket>();
  let connections = 0;
  const server = createServer(async (incoming, outgoing) => {
    const { socket } = incoming;
    idle.delete(socket);
    outgoing.once("close", () => socket.destroyed || idle.add(socket));
    try {
      const { status, headers, body } = await answerTo(incoming);
      // Close the connection after this response, so that nobody waits for the rest of a refused body.
      if (!incoming.complete) outgoing.shouldKeepAlive = false;
      outgoing.writeHead(status, Object.fromEntries(headers));
      if (body === null) outgoing.end();
      // A reader that leaves ends the stream. This is not an error.
      else {pipeline(
          Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]),
          outgoing,
          () => {},
        );}
    } catch {
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    }
  });
  server.on("connection", (socket: Socket) => {
    idle.add(socket);
    socket.once("close", () => {
      connections--;
      idle.delete(socket);
    });
    if (++connections > MAX_CONNECTIONS) idle.values().next().value?.destroy();
  });
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
