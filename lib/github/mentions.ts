// Keeps the text of agents from mentioning people on GitHub: an invisible character follows each `@`. Reading removes
// the character again. Pure.

const AT = "(?:@|&#0*64;?|&#x0*40;?|&commat;?)";
const HIDDEN = "\u200b";

const SPOKEN = new RegExp(`(${AT})(?=[^\\s${HIDDEN}])`, "gi");
const QUIET = new RegExp(`(${AT})${HIDDEN}`, "gi");
const NAME = /@([a-z\d](?:[a-z\d/._-]*[a-z\d])?)/gi;

/** Returns the text with all mentions disabled, except of people whom the text on GitHub (`there`) already mentions. */
export function withoutMentions(text: string, there = ""): string {
  const known = new Set(namesIn(there));
  return text.replaceAll(SPOKEN, (at, _, index: number) => {
    const [name] = namesIn(/^@\S*/.exec(text.slice(index))?.[0] ?? "");
    return name !== undefined && known.has(name) ? at : at + HIDDEN;
  });
}

/** Restores the mentions in a text that was read from GitHub. */
export function withMentions(text: string): string {
  return text.replaceAll(QUIET, "$1");
}

function namesIn(text: string): string[] {
  return Array.from(text.matchAll(NAME), ([, name]) => name.toLowerCase());
}
