import { randomBytes } from 'node:crypto';
import { beginText, endText } from '../messages/answer.ts';
import { byteLength, clipBytes } from './clip.ts';

/** What a tool answers: the same for readers of the text and for those of the structured form. */
export interface Answer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** A text in sections, of which the data is what programs wrote. */
export interface AnswerText {
  /** What was read, and how to go on: one statement a line. */
  readonly head: readonly string[];
  readonly notes: readonly string[];
  readonly data: readonly string[];
}

const NOTE_BYTES = 240;
const MAX_NOTES = 10;

/**
 * Notes that leave room for data: at most a quarter of an answer; the last one counts those that are left out.
 *
 * @param maxBytes - of the whole answer
 */
export function fitNotes(notes: readonly string[], maxBytes: number): readonly string[] {
  const different = [...new Set(notes)];
  const kept: string[] = [];
  let bytes = 0;
  for (const note of different.slice(0, MAX_NOTES)) {
    const shown = clipBytes(note, NOTE_BYTES);
    bytes += byteLength(shown) + 8;
    if (bytes > maxBytes / 4) break;
    kept.push(shown);
  }
  const left = different.length - kept.length;
  return left === 0 ? kept : [...kept, `${left} more`];
}

/** A mark that no log can have: it is made for one answer. */
export function newFence(): string {
  return randomBytes(6).toString('hex');
}

/**
 * The text of an answer. Data lies between two lines with the fence, which it cannot contain, since each of its lines
 * is one line and the fence is random.
 */
export function composeText({ head, notes, data }: AnswerText, fence: string): string {
  const fenced = data.length === 0 ? [] : [beginText(fence), ...data, endText(fence)];
  return [...head, ...notes.map((note) => `note: ${note}`), ...fenced].join('\n');
}

/** How often each kind of secret was masked: `redacted: 3 (2 password, 1 token)`; undefined: none. */
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

/** For a structured answer. */
export function redactedList(
  counts: ReadonlyMap<string, number>,
): readonly { readonly kind: string; readonly count: number }[] {
  return Array.from(counts, ([kind, count]) => ({ kind, count }));
}
