import { assert, assertEquals } from "@std/assert";
import type { AgentxError } from "../../lib/base/errors.ts";
import { ioError, missingPermission } from "../../lib/sys/io_error.ts";

Deno.test("ioError() says how a sandbox with a read-only workspace asks", () => {
  const cause = Object.assign(new Error("x"), { code: "EROFS" });
  const said = (path: string) => (ioError("write", path, cause) as AgentxError).next ?? "";
  assert(said("/main/.agentx/state/a.json").includes("tools of agentx mcp"));
  assertEquals(said("/main/a.json"), "Use a writable folder");
});

/** What Deno says, and what is made of it. */
const REFUSALS: Record<string, [path: string, operation: string, flag: string]> = {
  'Requires write access to "/x/.agentx/log", run again with the --allow-write flag': [
    "/x/.agentx/log",
    "write",
    "--allow-write",
  ],
  "Requires write access to <TMP>, run again with the --allow-write flag": [
    "<TMP>",
    "write",
    "--allow-write",
  ],
  'Requires all access to "/proc/1/environ", run again with the --allow-all flag': [
    "/proc/1/environ",
    "all",
    "--allow-all",
  ],
};

for (const [message, [path, operation, flag]] of Object.entries(REFUSALS)) {
  Deno.test(`missingPermission() names ${flag} for ${path}`, () => {
    const error = missingPermission(new Error(message));
    assertEquals(error?.details, { operation, path, errno: "ENOTCAPABLE" });
    assertEquals(error?.message.includes(`without ${flag} for it`), true);
    assertEquals(ioError("write", "/elsewhere", new Error(message)).message, error?.message);
  });
}

Deno.test("missingPermission() leaves every other failure alone", () => {
  for (const error of [new Error("Requires patience"), new TypeError("x"), "text", undefined]) {
    assertEquals(missingPermission(error), undefined);
  }
});
