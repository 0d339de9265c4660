// Reads the data of server-sent events as they arrive (WHATWG HTML, section 9.2). Names, ids and retry times are left
// out, because no model needs them.

/** Maximum length of an event, because an event is kept in memory until it ends. */
const MAX_EVENT = 4_000_000;

/**
 * Yields the data of each event that a server streams. An event without an empty line at its end is left out. Throws a
 * `RangeError` if an event does not end.
 */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  let dataLength = 0;
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    rest += text;
    if (rest.length + dataLength > MAX_EVENT) {
      throw new RangeError("an event of its stream does not end");
    }
    if (!/[\r\n]/.test(text)) continue; // search a long line only once
    // A chunk may end between CR and LF.
    const isOpen = rest.endsWith("\r");
    const lines = (isOpen ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/);
    rest = lines.pop()! + (isOpen ? "\r" : "");
    for (const line of lines) {
      if (line.startsWith("data:")) {
        data.push(line.slice(5).replace(/^ /, ""));
        dataLength += line.length;
      }
      if (line !== "" || data.length === 0) continue;
      yield data.join("\n");
      data = [];
      dataLength = 0;
    }
  }
  if (rest === "\r" && data.length > 0) yield data.join("\n");
}
