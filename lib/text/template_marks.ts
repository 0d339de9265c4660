// Marks of chat templates (ChatML, Llama, Mistral, Gemma, DeepSeek, Qwen) in text that a model will
// read. A tokenizer may turn a mark into the token that ends a turn or begins another. Pure.
//
// Not covered: turns that begin with a word, such as `Human:`. They need a line of their own, and quoted text has none.

/** Names of tags that end texts and turns, or mark thoughts and messages of tools and hosts. */
const TAGS = "s|bos|eos|eot|pad|unk|mask|think|(?:start|end)_of_(?:turn|image)|fim_[a-z]{1,12}|" +
  "tools?|tool_(?:call|response|result)s?|function_(?:call|result)s?|system-reminder";

const WORDS = "INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|" +
  "CALL_ID|THINK|PREFIX|MIDDLE|SUFFIX|IMG|IMG_BREAK|IMG_END";

/** Matches the first character of a mark. */
const MARK = new RegExp(
  String.raw`<(?=[|\uff5c]|<\/?SYS>>|\/?(?:${TAGS})>)|\[(?=\/?(?:${WORDS})\])`,
  "gi",
);

/**
 * Breaks the marks by escaping the first character of each, as `text.ts` escapes hidden characters.
 * Nothing is removed, since the remaining text could form a new mark.
 */
export function breakTemplateMarks(text: string): string {
  return text.replace(MARK, (first) => first === "<" ? "\\u{3c}" : "\\u{5b}");
}
