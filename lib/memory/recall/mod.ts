// The parts of a recall, loaded at once.

export { checkAgainstCode } from "./check_against_code.ts";
export { needRules, quoteObservations } from "./quoted_section.ts";
export { rankForRecall } from "./recall_rank.ts";
