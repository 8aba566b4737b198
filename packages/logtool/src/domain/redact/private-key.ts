import type { SecretSpan } from './secret-kinds.ts';

const KIND = 'private-key';
const BEGIN =
  /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|PuTTY-User-Key-File-\d:|Private-Lines: \d/;
const END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-MAC:/;
/** A key of 16,384 bits has 200 lines. Further lines belong to other text: the end of the key was never written. */
const MAX_KEY_LINES = 250;
/** RFC 7468, 2: 64 characters a line; OpenSSH writes 70, MIME 76. */
const FULL_LINE = /(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})$/;
const BODY = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{2,512}={0,3}(?![A-Za-z0-9+/=])/g;
/** The last line of a key may be as short as any other text. */
const MIN_BODY = 32;

/** Whether a text has the first line of a private key. */
export function beginsPrivateKey(text: string): boolean {
  return BEGIN.test(text);
}

/** Tracks whether the lines of one container are inside a private key, which has several lines. */
export class PrivateKeyLines {
  /** Number of key lines seen; undefined: no key has begun. */
  #lines: number | undefined;
  /** Column where the key begins in its lines: each may have the same prefix. */
  #column = -1;

  /** Returns the ranges of the next line that belong to a key. */
  take(line: string): readonly SecretSpan[] {
    const spans: SecretSpan[] = [];
    let at = 0;
    if (this.#lines !== undefined) at = this.#continue(line, spans);
    else if (isFullLine(line)) {
      // A page that begins inside a key lacks its first line.
      this.#lines = 1;
      at = this.#continue(line, spans);
    }
    while (this.#lines === undefined) {
      const begin = BEGIN.exec(line.slice(at));
      if (begin === null) break;
      const start = at + begin.index + begin[0].length;
      const end = endOf(line, start);
      spans.push({ start, end: end?.start ?? line.length, kind: KIND });
      if (end === undefined) this.#lines = 0;
      else at = end.after;
    }
    return spans.filter(({ start, end }) => end > start);
  }

  /** Masks the key's part of the line; returns where the key ends in it. */
  #continue(line: string, spans: SecretSpan[]): number {
    const end = endOf(line, 0);
    const body = line.slice(0, end?.start);
    const found = Array.from(body.matchAll(BODY))
      .filter((match) => this.#isBody(match, body))
      .map(({ index, 0: { length } }) => ({ start: index, end: index + length, kind: KIND }));
    this.#column = found.at(-1)?.start ?? -1;
    this.#lines = (this.#lines ?? 0) + 1;
    if (end !== undefined || found.length === 0 || this.#lines > MAX_KEY_LINES)
      this.#leaveUnlessHeader(body, end);
    spans.push(...found);
    return end?.after ?? line.length;
  }

  #isBody({ index, 0: text }: RegExpExecArray, line: string): boolean {
    if (text.length >= MIN_BODY || text.endsWith('=')) return true;
    const isLast = index + text.length === line.trimEnd().length;
    return isLast && (index === this.#column || line.trim() === text);
  }

  /** `Proc-Type: 4,ENCRYPTED` and an empty line may come between the first line and the key: RFC 1421, 4.6. */
  #leaveUnlessHeader(body: string, end: unknown): void {
    const isHeader = /^\s*$|^[\w-]+: /.test(body) && (this.#lines ?? 0) <= 6;
    if (end !== undefined || !isHeader) this.#lines = undefined;
  }
}

function endOf(line: string, from: number): { readonly start: number; readonly after: number } | undefined {
  const end = END.exec(line.slice(from));
  if (end === null) return undefined;
  return { start: from + end.index, after: from + end.index + end[0].length };
}

/** Whether a line is only base64 at the full length of key lines, and not a hexadecimal digest. */
function isFullLine(line: string): boolean {
  const found = FULL_LINE.exec(line)?.[0];
  if (found === undefined) return false;
  return /[g-z]/.test(found) && /[A-Z]/.test(found) && /\d/.test(found) && line.length - found.length < 64;
}
