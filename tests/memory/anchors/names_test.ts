import { assertEquals } from "@std/assert";
import { pathsIn, symbolsIn } from "../../../lib/memory/anchors/names.ts";

Deno.test("pathsIn finds relative paths, and the line where one is named", () => {
  assertEquals(pathsIn("See src/a.ts:12, lib/b_c.py and go.mod. Also `web/app.test.tsx`."), [
    { path: "src/a.ts", line: 12 },
    { path: "lib/b_c.py" },
    { path: "go.mod" },
    { path: "web/app.test.tsx" },
  ]);
});

Deno.test("pathsIn leaves out what leads elsewhere", () => {
  assertEquals(
    pathsIn("https://example.com/a.ts /etc/a.conf ../b.ts x/../c.ts ~/d.ts"),
    [],
  );
});

Deno.test("symbolsIn finds what is quoted, called, or written as no word of prose is", () => {
  assertEquals(
    symbolsIn(
      "`retry` calls sleep() in JsonFile.update(), with retryDelayMs and MAX_WAIT_MS, and_so",
    ),
    ["retry", "sleep", "JsonFile", "update", "retryDelayMs", "MAX_WAIT_MS", "and_so"],
  );
});

Deno.test("symbolsIn takes neither prose nor paths for symbols", () => {
  assertEquals(
    symbolsIn("The Session waits for PostgreSQL 16 in lib/fooBar.ts, e.g. at night."),
    [],
  );
});
