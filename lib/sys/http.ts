// A server of HTTP on this machine, for this machine alone. Node's modules are loaded where one is
// started: every other command would pay for them.

import type { IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ioError } from "./io_error.ts";

/** A page needs a handful. Beyond it the oldest connection without a response makes room. */
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
      // The rest of a body that was refused is not waited for.
      if (!incoming.complete) outgoing.shouldKeepAlive = false;
      outgoing.writeHead(status, Object.fromEntries(headers));
      if (body === null) outgoing.end();
      // A reader that leaves ends the stream: that is no error.
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
