/** Ends of lines and the signs that mean something in YAML or JSON. A certificate in base64 holds none of them. */
const MARKS = signs('\n\r,[]{}#&*!|>\'"%@`');
/** These mean something only before a blank or another sign: names as `arn:aws:eks:eu-west-1` are full of them. */
const MARKS_BEFORE_BLANKS = signs('-?:');
const BLANKS = signs(' \t\n\r,[]{}-');

/**
 * The work of a YAML parser for a text, within a constant factor: bytes cost it almost nothing compared with
 * nodes. Counting ends above `most`.
 */
export function countMarks(text: string, most: number): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= most; at++) {
    const sign = text.charCodeAt(at);
    if (MARKS.has(sign) || (MARKS_BEFORE_BLANKS.has(sign) && BLANKS.has(text.charCodeAt(at + 1)))) count++;
  }
  return count;
}

function signs(text: string): ReadonlySet<number> {
  return new Set(Array.from(text, (sign) => sign.charCodeAt(0)));
}
