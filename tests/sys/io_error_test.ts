import { assert, assertEquals } from "@std/assert";
import type { AgentxError } from "../../lib/errors.ts";
import { ioError } from "../../lib/sys/io_error.ts";

Deno.test("ioError() says how a sandbox with a read-only workspace asks", () => {
  const cause = Object.assign(new Error("x"), { code: "EROFS" });
  const said = (path: string) => (ioError("write", path, cause) as AgentxError).next ?? "";
  assert(said("/main/.agentx/state/a.json").includes("agentx serve runs outside of it"));
  assertEquals(said("/main/a.json"), "Use a writable folder");
});
