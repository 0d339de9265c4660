import { assertEquals } from "@std/assert";
import { formatDuration } from "../../lib/base/time.ts";

Deno.test("formatDuration() rounds down in the largest unit", () => {
  const seconds = [0, 59, 60, 3_599, 3_600, 86_399, 86_400, 864_000];
  const texts = ["0s", "59s", "1m", "59m", "1h", "23h", "1d", "10d"];
  assertEquals(seconds.map((count) => formatDuration(count * 1_000 + 999)), texts);
});

Deno.test("formatDuration() has nothing below zero", () => {
  assertEquals(formatDuration(-5_000), "0s");
});
