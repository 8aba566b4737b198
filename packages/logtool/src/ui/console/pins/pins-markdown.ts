import { plainText } from '../../ansi/plain-text.ts';
import type { PinnedLine } from '../../worker/protocol/protocol.ts';

/** A pinned line with its note, its time, and the address that opens it. */
export interface PinEntry {
  readonly line: PinnedLine;
  readonly note: string;
  /** The time as the page shows it; undefined: the link has none. */
  readonly at: string | undefined;
  readonly address: string;
}

/** The pinned lines for an incident report: a list under one link, each item with time, pod, note and line. */
export function pinsMarkdown(pins: readonly PinEntry[], address: string): string {
  const items = pins.map(({ line, note, at, address: own }) => {
    const where = line.state === 'read' ? ` ${line.pod}/${line.container}` : '';
    const head = `- [${at ?? 'Line'}](${linkable(own)})${where}${note === '' ? '' : `: ${escaped(note)}`}`;
    return line.state === 'read'
      ? `${head}\n\n${fenced(plainText(line.text))}\n`
      : `${head} (${LOST[line.state]})\n`;
  });
  return `[Pinned lines](${linkable(address)})\n\n${items.join('\n')}`;
}

const LOST = { gone: 'no longer in the logs', unread: 'not read' } as const;

/** A code fence within a list item that no line can close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...text.split('\n'), fence].map((line) => `  ${line}`).join('\n');
}

/** A parenthesis would end the address. */
function linkable(address: string): string {
  return address.replaceAll('(', '%28').replaceAll(')', '%29');
}

/** Escapes a note, which is text and not markup. */
function escaped(note: string): string {
  return note.replaceAll(/[\\`*_[\]<>#|]/g, '\\$&');
}
