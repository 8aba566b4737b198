import { plainText } from '../../ansi/plain-text.ts';
import type { PinnedLine } from '../../worker/session/protocol.ts';

/** A pinned line with its note, when it was written, and the address that leads to it. */
export interface PinEntry {
  readonly line: PinnedLine;
  readonly note: string;
  /** As the page shows it; undefined: the link has none. */
  readonly at: string | undefined;
  readonly address: string;
}

/** The pinned lines for an incident report: a list under one link, each with time, pod, note and line. */
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

const LOST = { gone: 'not in the logs any more', unread: 'not read' } as const;

/** A fence inside of a list item that no line can close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...text.split('\n'), fence].map((line) => `  ${line}`).join('\n');
}

/** A bracket would end the address. */
function linkable(address: string): string {
  return address.replaceAll('(', '%28').replaceAll(')', '%29');
}

/** A note is text, not markup. */
function escaped(note: string): string {
  return note.replaceAll(/[\\`*_[\]<>#|]/g, '\\$&');
}
