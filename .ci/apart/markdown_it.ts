// The parser of Markdown: only the board loads it. Node gives a package of its kind whole.

export { default } from "markdown-it";
