/**
 * The blocks of code in the README.
 *
 * @module
 */

/** What a block is, and where it stands. */
export interface Block {
  heading: string;
  language: string;
  text: string;
}

/** All of them, in their order. */
export const BLOCKS: readonly Block[] = blocksOf(
  Deno.readTextFileSync(new URL("../README.md", import.meta.url)),
);

function blocksOf(markdown: string): Block[] {
  let heading = "";
  const blocks: Block[] = [];
  for (
    const [, title, language, text] of markdown.matchAll(/^## (.+)$|^```(\w+).*\n([^]*?)^```$/gm)
  ) {
    if (title !== undefined) heading = title;
    else blocks.push({ heading, language, text });
  }
  return blocks;
}

/** The commands of a block, those over several lines in one piece. */
export function commandsIn({ text }: Block): string[] {
  return text.replaceAll("\\\n", "\\\r").split("\n").filter((line) => line !== "")
    .map((line) => line.replaceAll("\r", "\n"));
}
