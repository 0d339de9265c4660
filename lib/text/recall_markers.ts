// The lines around recalled memory in a prompt. Readers of transcripts leave out the text between them, so recalled
// memory is never captured again. Pure.

export const RECALL_BEGIN = "<!-- agentx:memory-recall -->";

export const RECALL_END = "<!-- /agentx:memory-recall -->";

/** The prefix of each quoted line between the markers: a block of code in a blockquote. */
export const RECALL_QUOTE = ">     ";
