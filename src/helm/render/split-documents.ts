const BLANK = '[ \\t\\n\\f\\r]';
const SEPARATOR = new RegExp(`(?:^|${BLANK}*\\n)---${BLANK}*`, 'g');
const EDGES = /^[\s\u0085]+|[\s\u0085]+$/g;

/** The YAML documents of a text, trimmed, in order; a document of nothing at all is left out. */
export function splitDocuments(text: string): string[] {
  return text
    .replace(EDGES, '')
    .split(SEPARATOR)
    .filter((document) => document !== '')
    .map((document) => document.replace(EDGES, ''));
}
