/**
 * What an agent decided in a document that it wrote: a plan, a recommendation, a decision record. Pure.
 *
 * @module
 */

/** Before the lines of a document, in a patch or in the call that writes it. */
const WRITTEN =
  /^(?:\*\*)?(?:Add(?:ed)?|Create[ds]?|Writ(?:e|ing)|Update[ds]?|New file|\*\*\* (?:Add|Update) File): `?[^\s`*]+\.(?:md|mdx|rst|adoc)`?(?:\*\*)?\s*$/im;

const FENCE = /^(`{3,}|~{3,})(\w*)[ \t]*\n/m;

/** A shell is given a document; the word that ends it is captured. */
const HERE_DOCUMENT = /\bcat >>? ?\S{1,200}\.(?:md|mdx|rst|adoc) <<-?['"]?(\w{1,20})['"]?\n/;

/** The document that a message writes, in markdown; undefined if it writes none. */
export function documentIn(text: string, tool?: string): string | undefined {
  const here = HERE_DOCUMENT.exec(text);
  if (here !== null) return linesUntil(here[1], text.slice(here.index + here[0].length)).join("\n");
  const isWriter = tool !== undefined && /^(?:write|create)(?:_?file)?$/i.test(tool);
  const fence = isWriter || WRITTEN.test(text) ? FENCE.exec(text) : null;
  if (fence === null) return undefined;
  const [opening, mark, language] = fence;
  const lines = linesUntil(mark, text.slice(fence.index + opening.length));
  if (language === "diff") return lines.flatMap((line) => addedIn(line)).join("\n");
  return /^(?:md|mdx|markdown)$/.test(language) ? lines.join("\n") : undefined;
}

/** The lines before the one that is an end mark, or all of them. */
function linesUntil(mark: string, text: string): string[] {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => line.trimEnd() === mark);
  return end < 0 ? lines : lines.slice(0, end);
}

function addedIn(line: string): string[] {
  return line.startsWith("+") && !line.startsWith("+++ ") ? [line.slice(1)] : [];
}
