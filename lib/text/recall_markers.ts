// The lines around recalled memory in a prompt, by which transcripts leave it out: what was recalled
// is not captured again. Pure.

export const RECALL_BEGIN = "<!-- agentx:memory-recall -->";

export const RECALL_END = "<!-- /agentx:memory-recall -->";

/** What begins each line that is quoted in between: a block of code in a blockquote. */
export const RECALL_QUOTE = ">     ";
