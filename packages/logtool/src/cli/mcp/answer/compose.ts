import { randomBytes } from 'node:crypto';
import { beginText, endText } from '../messages/answer.ts';
import { byteLength, clipBytes, clipMarked } from './clip.ts';

/** A tool's answer; both forms contain the same. */
export interface Answer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** Whether both forms of an answer have at most `maxBytes` bytes. */
export function fits({ text, structured }: Answer, maxBytes: number): boolean {
  return byteLength(text) <= maxBytes && byteLength(JSON.stringify(structured)) <= maxBytes;
}

/**
 * Returns the answer with as many of `count` items as fit in `maxBytes` bytes. Each further attempt has a fifth fewer;
 * an answer that is too large without any item is cut.
 */
export function shrinkToFit(count: number, maxBytes: number, answerWith: (items: number) => Answer): Answer {
  for (let items = Math.max(0, count); ; items = Math.floor(items * 0.8)) {
    const answer = answerWith(items);
    if (fits(answer, maxBytes)) return answer;
    if (items === 0) return { ...answer, text: clipBytes(answer.text, maxBytes) };
  }
}

/** A text in sections; the data section is what programs wrote. */
export interface AnswerText {
  /** What was read, and how to continue: one statement per line. */
  readonly head: readonly string[];
  readonly notes: readonly string[];
  readonly data: readonly string[];
}

const NOTE_BYTES = 240;
const MAX_NOTES = 10;

/**
 * Limits notes to a quarter of an answer, to leave room for data; the last note counts the omitted ones.
 *
 * @param maxBytes - size of the whole answer
 */
export function fitNotes(notes: readonly string[], maxBytes: number): readonly string[] {
  const different = [...new Set(notes)];
  const kept: string[] = [];
  let bytes = 0;
  for (const note of different.slice(0, MAX_NOTES)) {
    const shown = clipMarked(note, NOTE_BYTES);
    bytes += byteLength(shown) + 8;
    if (bytes > maxBytes / 4) break;
    kept.push(shown);
  }
  const left = different.length - kept.length;
  return left === 0 ? kept : [...kept, `${left} more`];
}

/** Creates a mark for one answer that no log can contain. */
export function newFence(): string {
  return randomBytes(6).toString('hex');
}

/**
 * Composes the text of an answer. Data is between two lines with the fence; it cannot contain the fence,
 * because that is random and each record is one line.
 */
export function composeText({ head, notes, data }: AnswerText, fence: string): string {
  const fenced = data.length === 0 ? [] : [beginText(fence), ...data, endText(fence)];
  return [...head, ...notes.map((note) => `note: ${note}`), ...fenced].join('\n');
}

/**
 * Returns how often each kind of secret was masked: `redacted: 3 (2 password, 1 token)`; undefined if none
 * was.
 */
export function redactedText(counts: ReadonlyMap<string, number>): string | undefined {
  if (counts.size === 0) return undefined;
  const all = [...counts].sort(([, a], [, b]) => b - a);
  const total = all.reduce((sum, [, count]) => sum + count, 0);
  return clipBytes(
    `redacted: ${total} (${all.map(([kind, count]) => `${count} ${kind}`).join(', ')})`,
    NOTE_BYTES,
  );
}

export function countKinds(kinds: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Returns the same for a structured answer. */
export function redactedList(
  counts: ReadonlyMap<string, number>,
): readonly { readonly kind: string; readonly count: number }[] {
  return Array.from(counts, ([kind, count]) => ({ kind, count }));
}
