import { defineCommand } from "../../cli/command.ts";
import { shared } from "../ask.ts";

/** `agentx ask`, under its name in the AgentX documents. */
export const command = defineCommand({
  ...shared,
  examples: [
    'agentx clarify ask -i 42 --from engineer --to architect --topic DB "Which?"',
    'agentx clarify ask CLR-42-001 "And pooling?"',
  ],
  positional: ["id", "question"],
});
