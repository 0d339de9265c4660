/**
 * What other programs of this machine can find out about a board at a terminal, and what it gives them.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { Pty, terminalTest } from "../pty.ts";
import { AGENTX, environment, TempWorkspace } from "../temp_workspace.ts";

/** The command lines of all processes. */
function inProcessTable(): string {
  const pids = Array.from(Deno.readDirSync("/proc"), ({ name }) => name).filter((name) =>
    /^\d+$/.test(name)
  );
  const lines = pids.map((pid) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
    } catch {
      return ""; // it has ended
    }
  });
  return lines.join("\n");
}

/** What a client gets in a stream of lines until it ends, or for half a second. */
async function firstCome(origin: string): Promise<string> {
  const response = await fetch(`${origin}/enter`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: "{}",
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const late = new Promise<void>((resolve) => setTimeout(resolve, 500));
  for (;;) {
    const read = await Promise.race([reader.read(), late]);
    if (!read?.value) break;
    text += read.value;
  }
  await reader.cancel();
  return text;
}

terminalTest(
  "board: a reader of the process table and a first-come client get nothing",
  async () => {
    using temp = new TempWorkspace();
    const bin = `${temp.root}/bin`;
    temp.write(
      "bin/xdg-open",
      `#!/bin/sh\necho "$*" > '${temp.root}/opened.tmp'\n` +
        `mv '${temp.root}/opened.tmp' '${temp.root}/opened'\nsleep 5\n`,
    );
    Deno.chmodSync(`${bin}/xdg-open`, 0o755);
    const env = { ...environment(), DISPLAY: ":0", PATH: `${bin}:${Deno.env.get("PATH")}` };
    await using pty = new Pty([...AGENTX.split(" "), "board"], { cwd: temp.root, env });
    await pty.shows(/http:\S+/);
    const [url] = /http:\S+/.exec(pty.out)!;
    const origin = new URL(url).origin;
    while (!exists(`${temp.root}/opened`)) await new Promise((resolve) => setTimeout(resolve, 20));
    assertEquals(Deno.readTextFileSync(`${temp.root}/opened`).trim(), `${origin}/`);
    const seen = inProcessTable();
    assert(seen.includes(`${origin}/`), "the browser's opener runs");
    const addresses = [...new Set(seen.match(new RegExp(`${origin}\\S*`, "g")))];
    assertEquals(addresses, [`${origin}/`]);
    assertEquals((await (await fetch(origin)).text()).includes("agentx-key"), false);
    const got = await firstCome(origin);
    assert(/^\{"code":"\w{4}"\}\n$/.test(got), got);
    await pty.shows("the tab was not let in");
    for (const path of ["/view/inbox", "/changes"]) {
      const response = await fetch(origin + path);
      assertEquals([response.status, await response.text()], [401, "The key is missing or wrong"]);
    }
    await pty.type("\x03");
    assertEquals(await pty.ended(), 130);
  },
);

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    return false; // not yet
  }
}
