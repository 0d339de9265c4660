/**
 * What posts and claims do with answers that no client must trust: nothing is lost, nothing is there twice.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { BAD_ANSWERS } from "./bad_answers.ts";
import { CLAIM, claimPlace } from "./claim_place.ts";
import { fastClock } from "./fast_clock.ts";
import { TempGitHub } from "./temp_github.ts";

for (const [name, fault] of BAD_ANSWERS) {
  Deno.test(`a post that meets ${name} is there once in the end`, async () => {
    using _clock = fastClock();
    await using place = await TempGitHub.make();
    await place.issues(1);
    for (const [index, method] of ["GET", "POST"].entries()) {
      await place.escalate(1, `Which ${method}?`);
      let met = 0;
      place.github.fault = (seen) => {
        const isMet = seen.method === method && seen.path.endsWith("/issues/1/comments");
        if (isMet) met++;
        return isMet ? fault : undefined;
      };
      await place.temp.run(["sync"]);
      place.github.fault = () => undefined;
      await place.sync();
      await place.sync();
      assert(met > 0 || method === "GET");
      const bodies = place.comments(1).map(({ body }) => body);
      assertEquals(bodies.length, index + 1, bodies.join("\n\n"));
      assert(bodies[index].includes(`Which ${method}?`), bodies[index]);
    }
  });

  Deno.test(`a claim that meets ${name} has one owner in the end`, async () => {
    using _clock = fastClock();
    const { ours, take, release } = await claimPlace();
    await using _ours = ours;
    for (const path of ["/git/commits", "/git/refs", "/git/refs/agentx/"]) {
      let met = 0;
      ours.github.fault = (seen) => {
        const isMet = seen.method !== "GET" && seen.path.includes(path);
        if (isMet) met++;
        return isMet ? fault : undefined;
      };
      await ours.temp.run(CLAIM);
      assert(met > 0, path);
      ours.github.fault = () => undefined;
      const { code, err } = await ours.temp.run(CLAIM);
      assertEquals(code, 0, err);
      assert((await take())?.machine.name !== "box");
      assertEquals((await ours.temp.run(["ready", "--release", "engineer"])).code, 0);
      assertEquals(await take(), undefined);
      await release();
    }
  });
}
