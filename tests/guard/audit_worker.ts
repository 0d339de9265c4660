/** Adds lines to the record until it is killed; prints the number of each that was acknowledged. */
import { AuditLog } from "../../lib/guard/audit.ts";
import { FileLockManager } from "../../lib/lock/mod.ts";

const [home, writer] = Deno.args;
// On a machine that is busy, 16 of them wait for longer than a hook does.
const log = new AuditLog(home, new FileLockManager({ maxWaitMs: 120_000 }));
for (let at = 1;; at++) {
  await log.add(writer, {
    agent: "engineer",
    issue: 1,
    command: `echo ${writer} ${Deno.pid} ${at}`,
    verdict: "allow",
    rule: "say",
    by: "rules",
    exitCode: null,
    durationMs: null,
  });
  Deno.stdout.writeSync(new TextEncoder().encode(`${Deno.pid} ${at}\n`));
}
