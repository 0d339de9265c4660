import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { sha256 } from "../../lib/base/sha256.ts";
import { often } from "../often.ts";

async function ofRuntime(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

Deno.test("sha256() gives the example of FIPS 180-4", async () => {
  assertEquals(
    await sha256(new TextEncoder().encode("abc")),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

Deno.test("sha256() gives what the runtime gives, for each length around a block and for long contents", async () => {
  for (let length = 0; length < 200; length++) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    assertEquals(await sha256(bytes), await ofRuntime(bytes));
  }
  const long = new Uint8Array(3_000_001).fill(0xa5);
  assertEquals(await sha256(long), await ofRuntime(long));
  assertEquals(await sha256(long.subarray(7, 70)), await ofRuntime(long.subarray(7, 70)));
});

Deno.test("sha256() gives what the runtime gives for any content", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
      assertEquals(await sha256(bytes), await ofRuntime(bytes));
    }),
    often(300),
  );
});
