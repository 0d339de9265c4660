import { assert, assertEquals } from "@std/assert";
import { AgentxError } from "../../lib/base/errors.ts";
import { sys } from "../../lib/sys/mod.ts";
import { TempHome } from "./temp_home.ts";

const FILES = { ".claude.json": '{ "a": 1 }', ".claude/settings.json": "{ }" };

Deno.test("setup: a disk that is full at any write leaves every file as it was", async () => {
  for (let failing = 1;; failing++) {
    using home = new TempHome(FILES);
    const before = home.snapshot();
    const { rename } = sys;
    let writes = 0;
    sys.rename = (from, to) => {
      if (++writes === failing) {
        const details = { operation: "write", path: to, errno: "ENOSPC" };
        throw new AgentxError("IO_ERROR", `Cannot write "${to}": the disk is full`, { details });
      }
      rename(from, to);
    };
    const { code, err } = await home.setup("claude");
    sys.rename = rename;
    if (writes < failing) {
      assertEquals(code, 0, err);
      assert(failing > 5, String(failing)); // two copies, the records, three files
      break;
    }
    assertEquals(code, 1, err);
    const after = home.snapshot();
    for (const [path, text] of Object.entries(before)) assertEquals(after[path], text, path);
    assert(!Object.values(after).some((text) => text.includes("agentx")), String(failing));

    assertEquals((await home.setup("claude")).code, 0);
    assertEquals((await home.setup("claude --remove")).code, 0);
    for (const [path, text] of Object.entries(FILES)) assertEquals(home.read(path), text);
  }
});

Deno.test("setup: what was killed after its records and before its files goes on, and can be undone", async () => {
  using home = new TempHome(FILES);
  const before = home.snapshot();
  await home.setup("claude");
  Deno.writeTextFileSync(`${home.path}/.claude/settings.json`, FILES[".claude/settings.json"]);
  Deno.removeSync(`${home.path}/.claude/skills`, { recursive: true });
  assertEquals((await home.setup("claude")).code, 0);
  assertEquals((await home.setup("claude --remove")).code, 0);
  assertEquals(home.snapshot(), before);
});

Deno.test("setup: a file that its host writes at the same moment is not overwritten", async () => {
  using home = new TempHome(FILES);
  const { readPart } = sys;
  let reads = 0;
  sys.readPart = (path, offset, maxBytes) => {
    if (path.endsWith("/.claude.json") && ++reads === 5) home.write(".claude.json", '{ "a": 2 }');
    return readPart(path, offset, maxBytes);
  };
  const { code, err } = await home.setup("claude");
  sys.readPart = readPart;
  assertEquals(code, 2, err);
  assert(err.includes("another program has just changed it"), err);
  assertEquals(home.read(".claude.json"), '{ "a": 2 }');
  assertEquals(home.read(".claude/settings.json"), FILES[".claude/settings.json"]);
});

Deno.test("setup: records that are broken or newer are named, and nothing is written", async () => {
  for (
    const [text, code] of [["{", 8], ['{"version":9,"files":{}}', 8], ['{"files":[]}', 8]] as const
  ) {
    using home = new TempHome(FILES);
    home.write(".local/state/agentx/setup.json", text);
    const before = home.snapshot();
    assertEquals((await home.setup("claude")).code, code);
    assertEquals(home.snapshot(), before);
    assertEquals(home.read(".local/state/agentx/setup.json"), text);
  }
});

Deno.test("setup: where copies are lost, --remove takes out its own entries", async () => {
  using home = new TempHome({ ".claude/settings.json": '{\n  "theme": "dark" // mine\n}\n' });
  await home.setup("claude");
  Deno.removeSync(`${home.path}/.local`, { recursive: true });
  assertEquals((await home.setup("claude --remove")).code, 0);
  assertEquals(home.read(".claude/settings.json"), '{\n  "theme": "dark" // mine\n}\n');
  assertEquals(home.snapshot()["/.claude.json"], undefined);
});

Deno.test("setup: a program that may be gone tomorrow is named", async () => {
  using home = new TempHome({ ".claude/settings.json": "{}" });
  const module = new URL(Deno.mainModule).pathname;
  home.write("repo/node_modules/.bin/agentx", `#!/bin/sh\n# ${module}\n`, 0o755);
  Deno.env.set("PATH", `${home.repository}/node_modules/.bin:${Deno.env.get("PATH")}`);
  const { err } = await home.setup("claude");
  assert(err.includes("node_modules/.bin/agentx"), err);
  assert(err.includes("task install"), err);
});

Deno.test("setup: two at once leave what one leaves", async () => {
  using home = new TempHome(FILES);
  const codes = await Promise.all([home.setup("claude"), home.setup("claude")]);
  assertEquals(codes.map(({ code }) => code), [0, 0]);
  assertEquals(home.read(".claude/settings.json").match(/hook host claude SessionEnd/g)?.length, 1);
  await home.setup("claude --remove");
  for (const [path, text] of Object.entries(FILES)) assertEquals(home.read(path), text);
});
