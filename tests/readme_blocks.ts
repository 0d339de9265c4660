/**
 * The blocks of code in README and in docs/.
 *
 * @module
 */

/** What a block is, and where it stands. */
export interface Block {
  /** `README.md`, or the page, such as `docs/memory.md`. */
  page: string;
  /** The title above it. */
  heading: string;
  language: string;
  text: string;
}

const ROOT = new URL("../", import.meta.url).pathname;

/** README, then the pages of docs/ by their names: what the first makes, the others go on with. */
export const PAGES: readonly string[] = [
  "README.md",
  ...Array.from(Deno.readDirSync(`${ROOT}docs`), ({ name }) => `docs/${name}`)
    .filter((page) => page.endsWith(".md")).sort(),
];

/** All of them, in their order. */
export const BLOCKS: readonly Block[] = PAGES.flatMap(blocksOf);

/** @returns the text of a page */
export function pageText(page: string): string {
  return Deno.readTextFileSync(ROOT + page);
}

function blocksOf(page: string): Block[] {
  let heading = "";
  const blocks: Block[] = [];
  for (
    const [, title, language, text] of pageText(page)
      .matchAll(/^##? (.+)$|^```(\w+).*\n([^]*?)^```$/gm)
  ) {
    if (title !== undefined) heading = title;
    else blocks.push({ page, heading, language, text });
  }
  return blocks;
}

/** The commands of a block, those over several lines in one piece. */
export function commandsIn({ text }: Block): string[] {
  return text.replaceAll("\\\n", "\\\r").split("\n").filter((line) => line !== "")
    .map((line) => line.replaceAll("\r", "\n"));
}
