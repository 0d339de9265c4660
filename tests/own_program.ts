/**
 * The program that a test has started again by its own words, where its own process would run the test again.
 *
 * @module
 */

import { program } from "../lib/sys/program.ts";
import { AGENTX } from "./temp_workspace.ts";

/** Until the end of the block that is `using` it, agentx starts itself as the command line. */
export function ownProgram(): Disposable {
  const own = Object.getOwnPropertyDescriptor(program, "commandLine")!;
  Object.defineProperty(program, "commandLine", {
    value: AGENTX.split(" "),
    configurable: true,
  });
  return { [Symbol.dispose]: () => void Object.defineProperty(program, "commandLine", own) };
}
