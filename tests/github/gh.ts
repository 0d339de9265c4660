/**
 * The real `gh` against a fake GitHub on loopback, through TLS.
 *
 * @module
 */

import { assert } from "@std/assert";

/** Whether this machine has what {@linkcode ghOf} needs. */
export const HAS_GH: boolean = new Deno.Command("sh", {
  args: ["-c", "gh --version && openssl version"],
  stderr: "null",
}).outputSync().success;

/** Changes issues of acme/shop with `gh api`, as ada; `url` is the API of a fake without TLS. */
export async function ghOf(url: string) {
  const home = Deno.makeTempDirSync();
  const [key, cert] = [`${home}/key.pem`, `${home}/cert.pem`];
  await run("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
    ...["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert],
  ]);
  const listener = Deno.listenTls({
    ...{ hostname: "127.0.0.1", port: 0 },
    key: Deno.readTextFileSync(key),
    cert: Deno.readTextFileSync(cert),
  });
  const port = Number(new URL(url).port);
  const served = serve(listener, port);
  const env = {
    ...{ HOME: home, GH_CONFIG_DIR: home, SSL_CERT_FILE: cert, NO_COLOR: "1" },
    GH_HOST: `localhost:${(listener.addr as Deno.NetAddr).port}`,
    ...{ GH_ENTERPRISE_TOKEN: "writer", GH_NO_UPDATE_NOTIFIER: "1" },
  };
  const api = async (method: string, path: string, ...fields: string[]) => {
    const words = fields.flatMap((field) => ["-f", field]);
    await run("gh", ["api", "-X", method, `repos/acme/shop/issues/${path}`, ...words], env);
  };
  return {
    edit: (number: number, change: Record<string, string | undefined>) =>
      api(
        "PATCH",
        `${number}`,
        ...Object.entries(change).map(([field, value]) => `${field}=${value}`),
      ),
    addLabel: (number: number, label: string) =>
      api("POST", `${number}/labels`, `labels[]=${label}`),
    removeLabel: (number: number, label: string) => api("DELETE", `${number}/labels/${label}`),
    comment: (number: number, body: string) => api("POST", `${number}/comments`, `body=${body}`),
    async [Symbol.asyncDispose]() {
      listener.close();
      await served;
      Deno.removeSync(home, { recursive: true });
    },
  };
}

/** Hands each connection on. */
async function serve(listener: Deno.TlsListener, port: number): Promise<void> {
  const open: Promise<unknown>[] = [];
  try {
    for await (const secure of listener) {
      const plain = await Deno.connect({ hostname: "127.0.0.1", port });
      const ways = [
        secure.readable.pipeTo(plain.writable),
        plain.readable.pipeTo(secure.writable),
      ];
      open.push(Promise.allSettled(ways));
    }
  } catch {
    // The listener was closed.
  }
  await Promise.all(open);
}

async function run(program: string, args: string[], env?: Record<string, string>): Promise<void> {
  const options = { args, env, stdin: "null" } as const;
  const { success, stderr } = await new Deno.Command(program, options).output();
  assert(success, `${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
