/** Ends of lines and the signs that mean something in YAML or JSON. A certificate in base64 holds none of them. */
const MARKS = new Set(Array.from('\n\r-?:,[]{}#&*!|>\'"%@`', (sign) => sign.charCodeAt(0)));

/**
 * How much a parser of YAML has to do for a text, within a constant factor: bytes cost it next to nothing beside the
 * nodes that they make. Counting ends above `most`.
 */
export function countMarks(text: string, most: number): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= most; at++) if (MARKS.has(text.charCodeAt(at))) count++;
  return count;
}
