#!/usr/bin/env bash
# croner 11.0.1 in Europe/Berlin, on the day when the clock goes from 3 back to 2: "30 2 * * *" comes once, and
# "30 1-3 * * *" comes four times, since 2:30 counts twice. On the day when it goes from 2 to 3, "30 2 * * *" comes at
# 3:00 and not at 3:30, and "0 2,3 * * *" comes once. Exits non-zero once that changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund croner@11.0.1 > /dev/null
cat > times.mjs << 'EOF'
import { Cron } from "croner";
const [, , from, expression] = process.argv;
const pattern = new Cron(expression, { timezone: "Europe/Berlin", paused: true });
const times = pattern.nextRuns(8, new Date(from)).map((time) => time.toISOString())
  .filter((time) => Date.parse(time) < Date.parse(from) + 86_400_000);
console.log(times.map((time) => time.slice(11, 16)).join(" "));
EOF
back=2026-10-24T22:00:00Z forward=2026-03-28T23:00:00Z
alone="$(node times.mjs "$back" "30 2 * * *")"
range="$(node times.mjs "$back" "30 1-3 * * *")"
skipped="$(node times.mjs "$forward" "30 2 * * *")"
list="$(node times.mjs "$forward" "0 2,3 * * *")"
printf '%s\n' "back, alone: $alone" "back, range: $range" "forward, alone: $skipped" "forward, list: $list"
[[ "$alone" == "00:30" && "$range" == "23:30 00:30 01:30 02:30" ]]
[[ "$skipped" == "01:00" && "$list" == "01:00" ]]
