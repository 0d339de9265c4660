import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber, text } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { LoggedOperation } from "../../events/log.ts";
import { MemorySearch } from "../../memory/dedupe.ts";
import { renderEntries } from "./render.ts";
import { TRY_OTHER_WORDS } from "../../memory/search/search.ts";
import { checkNamed } from "../agents/check_named.ts";
import { category, moment, wholeNumber } from "./input.ts";

export const command = defineCommand({
  kind: "observation.list",
  capturesSessions: true,
  examples: [
    'agentx memory search "why postgres"',
    "agentx memory search timeout --issue 42 --category error",
    "agentx memory search --agent engineer --from 2026-02-01 --limit 50",
  ],
  input: {
    limit: optional(wholeNumber("Maximum number of results (default: 20)", 1)),
    agent: optional(agentName("Only observations of this agent")),
    issue: optional(issueNumber, "Only observations of this issue"),
    category: optional(category, "Only observations of this kind"),
    from: optional(moment("Only from this day on (UTC)")),
    to: optional(moment("Only up to this day")),
    query: optional(text(2_000), "Words to search for, in any form; without words: the newest", {
      placeholder: "QUERY",
    }),
  },
  positional: ["query"],
  async run(context, { limit = 20, query, issue, ...others }) {
    const filters = { ...others, issueNumber: issue };
    const hasFilters = Object.values(filters).some((value) => value !== undefined);
    const { from, to } = others;
    if (from !== undefined && to !== undefined && from.slice(0, 10) > to.slice(0, 10)) {
      throw usageError(context.name, { field: "--to", value: to, why: "--to is before --from" });
    }
    const state = await context.openState();
    const { log } = state.records();
    const search = new MemorySearch(async () => (await state.memory()).store);
    const searching = new LoggedOperation(log.write.bind(log), "memory-searched", {
      issueNumber: issue,
      agent: others.agent,
    });
    const observations = await searching.attempt(() =>
      query === undefined
        ? search.list(filters, limit)
        : search.search(query, limit, hasFilters ? filters : undefined)
    );
    if (observations.length === 0) await checkNamed(context, others.agent);
    searching.end({ count: observations.length });
    const isPoor = query !== undefined &&
      (observations[0] === undefined || "isWeak" in observations[0]);
    return { output: { observations, ...(isPoor ? { next: TRY_OTHER_WORDS } : {}) } };
  },
  render({ observations, next = "" }, view) {
    if (observations.length === 0) return `  No matching observations. ${next}`.trimEnd();
    const cost = view.style.dim("  Show one in full with: agentx memory view ID");
    const weak = next === "" ? "" : `  ${view.style.dim(`Weak matches. ${next}`)}\n\n`;
    return `${weak}${renderEntries(observations, view)}\n\n${cost}`;
  },
});
