// A Markdown file as a Word document: headings, lists, tables, quotes, code, links, and PNG images that lie
// beside the file. Any other image is left out, and named. One JSON value comes in, one goes out.

import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import * as docx from "docx";
import { marked, type Tokens } from "marked";

/** Any part of a document. */
type Token = Tokens.Generic;

const HEADINGS = Object.values(docx.HeadingLevel);
/** Twentieths of a point: one level of a list or a quote. */
const INDENT = 720;
const CODE = { font: "Courier New", size: 18 };
const STYLES: Record<string, docx.IRunOptions> = { strong: { bold: true }, em: { italics: true } };
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };
/** In pixels; a wider image is made smaller. */
const MAX_WIDTH = 600;

const { document }: { document: string } = JSON.parse(readFileSync(0, "utf8"));
const folder = realpathSync(dirname(resolve(document)));
const counts = { headings: 0, items: 0, rows: 0, images: 0 };
const leftOut: string[] = [];
/** Each ordered list counts from its own start. */
const numbering: { reference: string; levels: docx.ILevelsOptions[] }[] = [];

const text = readFileSync(document, "utf8").replace(/^---\n[^]*?\n---\n/, "");
const children = (marked.lexer(text) as Token[]).flatMap((token) => blocks(token));
const file = new docx.Document({ numbering: { config: numbering }, sections: [{ children }] });
const path = document.replace(/\.(?:md|markdown)$/i, "") + ".docx";
writeFileSync(path, await docx.Packer.toBuffer(file));
console.log(JSON.stringify({ path, ...counts, leftOut }));

function blocks(token: Token, indent = 0): (docx.Paragraph | docx.Table)[] {
  const paragraph = (children: docx.ParagraphChild[], more: docx.IParagraphOptions = {}) =>
    new docx.Paragraph({ children, indent: { left: indent }, spacing: { after: 120 }, ...more });
  switch (token.type) {
    case "heading":
      counts.headings++;
      return [paragraph(spans(token.tokens ?? []), { heading: HEADINGS[token.depth - 1] })];
    case "list":
      return list(token as Tokens.List, 0);
    case "table":
      return [table(token as Tokens.Table)];
    case "blockquote":
      return (token.tokens ?? []).flatMap((each) => blocks(each, indent + INDENT));
    case "code":
      return token.text.split("\n").map((line: string) =>
        paragraph([new docx.TextRun({ text: line, ...CODE })], { spacing: { after: 0 } })
      );
    case "hr":
      return [paragraph([], { thematicBreak: true })];
    case "space":
    case "def":
      return [];
    default:
      return [paragraph(spans(token.tokens ?? [token]))];
  }
}

function list({ ordered, start, items }: Tokens.List, level: number): docx.Paragraph[] {
  const reference = `list-${numbering.length}`;
  if (ordered) {
    const from = Number(start) || 1;
    const levels = Array.from({ length: 9 }, (_, level) => ({
      ...{ level, format: docx.LevelFormat.DECIMAL, text: `%${level + 1}.`, start: from },
      style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: 360 } } },
    }));
    numbering.push({ reference, levels });
  }
  return items.flatMap(({ tokens, task, checked }) => {
    counts.items++;
    const mark = task ? [new docx.TextRun(checked ? "[x] " : "[ ] ")] : [];
    const kind = ordered ? { numbering: { reference, level } } : { bullet: { level } };
    const [first, ...others] = tokens.filter(({ type }) => type !== "checkbox" && type !== "space");
    const isText = first !== undefined && ["text", "paragraph"].includes(first.type);
    const head = isText ? spans((first as Tokens.Text).tokens ?? [first]) : [];
    const rest = (isText || first === undefined ? others : [first, ...others]).flatMap((each) =>
      each.type === "list"
        ? list(each as Tokens.List, level + 1)
        : blocks(each, INDENT * (level + 1)) as docx.Paragraph[]
    );
    return [new docx.Paragraph({ children: [...mark, ...head], ...kind }), ...rest];
  });
}

function table({ header, rows }: Tokens.Table): docx.Table {
  counts.rows += rows.length + 1;
  const row = (cells: Tokens.TableCell[], isHeader: boolean) =>
    new docx.TableRow({
      tableHeader: isHeader,
      children: cells.map(({ tokens }) =>
        new docx.TableCell({
          children: [new docx.Paragraph({ children: spans(tokens, { bold: isHeader }) })],
        })
      ),
    });
  return new docx.Table({
    width: { size: 100, type: docx.WidthType.PERCENTAGE },
    rows: [row(header, true), ...rows.map((cells) => row(cells, false))],
  });
}

function spans(tokens: readonly Token[], style: docx.IRunOptions = {}): docx.ParagraphChild[] {
  return tokens.flatMap((token): docx.ParagraphChild[] => {
    const inner = (more: docx.IRunOptions) => spans(token.tokens ?? [], { ...style, ...more });
    switch (token.type) {
      case "codespan":
        return [new docx.TextRun({ ...style, ...CODE, text: token.text })];
      case "br":
        return [new docx.TextRun({ break: 1 })];
      case "link":
        return [
          new docx.ExternalHyperlink({ link: token.href, children: inner({ style: "Hyperlink" }) }),
        ];
      case "image":
        return image(token as Tokens.Image, style);
      default:
        if (token.tokens !== undefined || token.type === "html") {
          return inner(STYLES[token.type] ?? {});
        }
        return [new docx.TextRun({ ...style, text: plain(token.text) })];
    }
  });
}

/** Of an image that is no PNG beside the document, its description stands in its place. */
function image({ href, text }: Tokens.Image, style: docx.IRunOptions): docx.ParagraphChild[] {
  const type = extname(href).slice(1).toLowerCase();
  try {
    if (/^[a-z][a-z0-9+.-]*:|^\//i.test(href)) throw new Error("It is elsewhere");
    const path = realpathSync(resolve(folder, decodeURI(href)));
    if (!path.startsWith(`${folder}/`) || type !== "png") throw new Error("It is elsewhere");
    const data = readFileSync(path);
    const [width, height] = [data.readUInt32BE(16), data.readUInt32BE(20)];
    const shown = Math.min(width, MAX_WIDTH);
    const transformation = { width: shown, height: height * shown / width };
    counts.images++;
    return [new docx.ImageRun({ type, data, transformation })];
  } catch {
    leftOut.push(href); // missing, too, or no image
    return [new docx.TextRun({ ...style, text: `[${text || href}]` })];
  }
}

function plain(text: string): string {
  return text.replace(/&(\w+);/g, (all, name) => ENTITIES[name] ?? all).replace(/\n/g, " ");
}
