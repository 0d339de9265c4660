// Reads recorded sessions of coding agents into one shape.

export { NO_MESSAGES, readTranscript } from "./read.ts";
export type { ReadTranscriptOptions } from "./read.ts";
export { TRANSCRIPT_FORMATS } from "./transcript.ts";
export type { Transcript, TranscriptFormat, TranscriptMessage } from "./transcript.ts";
