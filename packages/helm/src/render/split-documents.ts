/**
 * Splits a text into trimmed YAML documents, in order, without empty ones. Three dashes at the beginning of a line
 * separate them, whatever follows, with all blanks around. Works in one pass: a text of only blanks takes no longer
 * than another.
 */
export function splitDocuments(text: string): string[] {
  const documents: string[] = [];
  const end = trimEnd(text, 0, text.length);
  const start = skipBlanks(text, 0, end, isWhite);
  let from = start;
  let search = start;
  for (;;) {
    const dashes = text.indexOf('---', search);
    if (dashes < 0 || dashes >= end) break;
    // The line break before these dashes must not belong to the previous separator.
    const isFirst = dashes === start;
    if (!isFirst && !(dashes - 1 >= from && text[dashes - 1] === '\n')) {
      search = dashes + 1;
      continue;
    }
    if (!isFirst) add(documents, text, from, blanksBefore(text, from, dashes));
    from = skipBlanks(text, dashes + 3, end, isBlank);
    search = from;
  }
  add(documents, text, from, end);
  return documents;
}

function add(documents: string[], text: string, from: number, to: number): void {
  if (to > from) documents.push(text.slice(skipBlanks(text, from, to, isWhite), trimEnd(text, from, to)));
}

function blanksBefore(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

function trimEnd(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isWhite(text.charCodeAt(at - 1))) at--;
  return at;
}

function skipBlanks(text: string, from: number, to: number, is: (code: number) => boolean): number {
  let at = from;
  while (at < to && is(text.charCodeAt(at))) at++;
  return at;
}

/** Whether Go's `\s` matches a code unit. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b);
}

/** unicode.IsSpace, which TrimSpace uses. */
function isWhite(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return (
    code === 0x85 ||
    code === 0xa0 ||
    (code >= 0x1680 && code !== 0xfeff && /\s/.test(String.fromCharCode(code)))
  );
}
