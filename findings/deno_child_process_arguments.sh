#!/bin/sh
# Deno's node:child_process changes the arguments of a program that is not Deno. Behind the first argument that equals
# Deno's own path it inserts `run -A` and two flags, or `-A` alone where `run` follows without a flag of permissions. So
# `bwrap --ro-bind DENO DENO` fails on an unknown option. Another name of the same file, `FOLDER/./deno`, is left alone.
#
# Seen with Deno 2.9.6; exits non-zero once that changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --prefix . --no-audit --no-fund --loglevel=error deno@2.9.6 > /dev/null
cat > spawn.ts << 'END'
import { spawnSync } from "node:child_process";
const path = Deno.execPath();
const other = path.replace(/\/(?=[^/]*$)/, "/./");
for (const args of [["--bind", path, path], ["--", path, "run", "a.ts"], ["--bind", other, other]]) {
  const printed = spawnSync("echo", args).stdout.toString().trim();
  console.log(printed.replaceAll(other, "OTHER").replaceAll(path, "DENO"));
}
END
said=$(node_modules/.bin/deno run -A --quiet spawn.ts)
echo "$said"
[ "$said" = "--bind DENO run -A --unstable-bare-node-builtins --unstable-detect-cjs DENO
-- DENO run -A a.ts
--bind OTHER OTHER" ]
