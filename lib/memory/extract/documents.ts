/**
 * What an agent decided in a document that it wrote: a plan, a recommendation, a decision record. Pure.
 *
 * @module
 */

/** Before the lines of a document, in a patch or in the call that writes it; the path is captured. */
const WRITTEN =
  /^(?:\*\*)?(?:Add(?:ed)?|Create[ds]?|Writ(?:e|ing)|Update[ds]?|New file|\*\*\* (?:Add|Update) File): `?([^\s`*]+\.(?:md|mdx|rst|adoc))`?(?:\*\*)?\s*$/im;

const FENCED = /^(`{3,}|~{3,})(\w*)[ \t]*\n([^]*?)(?:^\1[ \t]*$|(?![^]))/m;

/** A document that a shell is given. */
const HERE_DOCUMENT =
  /\bcat >>? ?\S{1,200}\.(?:md|mdx|rst|adoc) <<-?['"]?(\w{1,20})['"]?\n([^]*?)(?:\n\1\b|(?![^]))/;

/** The document that a message writes, in markdown; undefined if it writes none. */
export function documentIn(text: string, tool?: string): string | undefined {
  const here = HERE_DOCUMENT.exec(text);
  if (here !== null) return here[2];
  const isWriter = tool !== undefined && /^(?:write|create)(?:_?file)?$/i.test(tool);
  if (!isWriter && !WRITTEN.test(text)) return undefined;
  const fenced = FENCED.exec(text);
  if (fenced === null) return undefined;
  const [, , language, body] = fenced;
  if (language === "diff") return body.split("\n").flatMap((line) => addedIn(line)).join("\n");
  return /^(?:md|mdx|markdown)$/.test(language) ? body : undefined;
}

function addedIn(line: string): string[] {
  return line.startsWith("+") && !line.startsWith("+++ ") ? [line.slice(1)] : [];
}
