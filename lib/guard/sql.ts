// Finds SQL statements that delete a whole database. Pure.

/** Whether a text has a statement that deletes a database or a schema. */
export function isDroppingDatabase(text: string): boolean {
  const code = text
    .replace(/\/\*!\d*([^]*?)\*\//g, " $1 ") // MySQL runs these comments
    .replace(/\/\*[^]*?\*\//g, " ")
    .replace(/--[^\n]*/g, " ");
  return /\bdrop\s+(database|schema)\b/i.test(code) || /\bdropDatabase\s*\(/.test(code);
}
