import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber, text } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { SaidBefore } from "../../memory/dedupe.ts";
import { renderEntries } from "../../memory/render/observations.ts";
import type { ObservationIndex } from "../../memory/schema.ts";
import { category, moment, wholeNumber } from "./input.ts";

/** Entries that are compared where all that fit are listed. */
const MANY = 10_000;

/** So many times as many hits are looked at as are shown: some say what another one says. */
const SPARE = 4;

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
    query: optional(text(2_000), "Words to search for, in all their forms", {
      placeholder: "QUERY",
    }),
  },
  positional: ["query"],
  async run(context, { limit = 20, query, issue, ...others }) {
    const filters = { ...others, issueNumber: issue };
    const hasFilters = Object.values(filters).some((value) => value !== undefined);
    if (query === undefined && !hasFilters) {
      throw usageError(context.name, { field: "QUERY", value: null, why: "QUERY is required" });
    }
    const { from, to } = others;
    if (from !== undefined && to !== undefined && from.slice(0, 10) > to.slice(0, 10)) {
      throw usageError(context.name, { field: "--to", value: to, why: "--to is before --from" });
    }
    const memory = await (await context.openState()).memory();
    const { store } = memory;
    const search = memory.begin("memory-searched", { issueNumber: issue, agent: others.agent });
    const found = await search.attempt(async () =>
      query === undefined
        ? (await store.searchByFilters(filters)).slice(0, MANY)
        : await store.search(query, limit * SPARE, hasFilters ? filters : undefined)
    );
    const observations = eachOnce(found, limit);
    return {
      output: { observations },
      afterwards: () => search.end({ count: observations.length }),
    };
  },
  render({ observations }, view) {
    if (observations.length === 0) return "  No matching observations.";
    const cost = view.style.dim("  Show one in full with: agentx memory get ID");
    return `${renderEntries(observations, view)}\n\n${cost}`;
  },
});

/** What several sessions said in the same words is shown once, as it was found first. */
function eachOnce(found: readonly ObservationIndex[], limit: number): ObservationIndex[] {
  const said = new SaidBefore();
  const kept: ObservationIndex[] = [];
  for (let at = 0; at < found.length && kept.length < limit; at++) {
    if (said.add(found[at].summary) === at) kept.push(found[at]);
  }
  return kept;
}
