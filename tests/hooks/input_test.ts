/**
 * What a host may send by mistake: it is named, and the host goes on.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../temp_workspace.ts";
import { firstEvent, HOOK_HOSTS, HookSession } from "./hook_session.ts";

const WRONG: Record<string, [stdin: string, says: string]> = {
  "half a JSON": ['{"session_id": "abc', "it is not JSON, or a part of it is missing"],
  "nothing": ["", "it is empty"],
  "a list": ["[]", "it is not a JSON object"],
  "10 MB": [`{"session_id": "${"a".repeat(10_000_000)}"}`, "are read"],
  "a NUL in the session": [JSON.stringify({ session_id: "a\0b" }), "it names no session"],
  "a session under __proto__": ['{"__proto__": {"session_id": "abc"}}', "it names no session"],
  "a lone surrogate": ['{"session_id": "\\ud800"}', "it names no session"],
  "another event": ['{"session_id": "abc", "hook_event_name": "Nope"}', "another event"],
  "a relative transcript": [
    '{"session_id": "abc", "transcript_path": "../../etc/passwd"}',
    "its transcript is not an absolute path",
  ],
  "lists in lists": [`{"a": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "it is not JSON"],
};

for (const [what, [stdin, says]] of Object.entries(WRONG)) {
  Deno.test(`hook host names ${what}, and no host stops for it`, async () => {
    using temp = new TempWorkspace();
    const before = temp.snapshot();
    for (const host of HOOK_HOSTS) {
      const session = new HookSession(temp, { host });
      const { code, answer, err } = await session.send(firstEvent(host), stdin);
      assert(code === 0 || code === 1, String(code));
      assertEquals(answer ?? {}, {});
      assert(err.includes(says), err);
    }
    assertEquals(temp.snapshot(), before);
  });
}

Deno.test("hook host refuses an unknown event or host with an exit code that blocks nothing", async () => {
  using temp = new TempWorkspace();
  for (const words of [["claude", "Stopp"], ["clyde", "Stop"], ["claude"], []]) {
    const { code, out } = await temp.run(["hook", "host", ...words]);
    assertEquals([code, out], [1, ""]);
  }
});

Deno.test("hook host names a damaged file of the session and leaves it as it is", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp);
  const path = `.agentx/state/sessions/${session.id}.json`;
  temp.write(path, "{");
  const { code, answer, err } = await session.fire("UserPromptSubmit");
  assertEquals([code, answer, temp.read(path)], [1, undefined, "{"]);
  assert(err.includes("sessions/"), err);
});
