/**
 * Marks of chat templates (ChatML, Llama, Mistral, Gemma, DeepSeek, Qwen) in text that a model will
 * read. A tokenizer may turn each into the one token that ends a turn or begins another. Pure.
 *
 * Not covered: turns that begin with a word, as in `Human:`. They need a line of their own, which no
 * line of a quote is.
 *
 * @module
 */

/** Ends of texts and turns, thoughts, and what tools and hosts say. */
const TAGS = "s|bos|eos|eot|pad|unk|mask|think|(?:start|end)_of_(?:turn|image)|fim_[a-z]{1,12}|" +
  "tools?|tool_(?:call|response|result)s?|function_(?:call|result)s?|system-reminder";

const WORDS = "INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|" +
  "CALL_ID|THINK|PREFIX|MIDDLE|SUFFIX|IMG|IMG_BREAK|IMG_END";

/** The first character of a mark. */
const MARK = new RegExp(
  String.raw`<(?=[|\uff5c]|<\/?SYS>>|\/?(?:${TAGS})>)|\[(?=\/?(?:${WORDS})\])`,
  "gi",
);

/**
 * Breaks the marks: the first character of each is shown by its number, as `text.ts` shows what is
 * hidden. Nothing is removed, since removing can join what is left into a mark.
 *
 * @param text anything
 * @returns the text without marks
 */
export function breakTemplateMarks(text: string): string {
  return text.replace(MARK, (first) => first === "<" ? "\\u{3c}" : "\\u{5b}");
}
