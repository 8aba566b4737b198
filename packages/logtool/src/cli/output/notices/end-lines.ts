import { formatCursor } from '../../../domain/cursor.ts';
import type { Frame } from '../../../domain/frame.ts';
import { asksForNone, type Selection } from '../../../domain/window.ts';

type EndFrame = Extract<Frame, { type: 'end' }>;

/**
 * Returns where the next and the previous page begin, for --with-cursors. Reports the end of the logs if
 * nothing follows in the reading direction: after a head, before a tail.
 */
export function cursorLines(selection: Selection, end: EndFrame, filtered: boolean): readonly string[] {
  const lines: string[] = [];
  if (end.prev !== undefined) {
    // A plain time would end a window there, and its last lines would not be shown for matches on the next
    // page.
    const count = filtered && end.prev.shown === 0 ? '~0' : '';
    lines.push(`--- Prev page: --before ${formatCursor(end.prev)}${count} ---`);
  }
  if (end.next !== undefined) lines.push(`--- Next page: --after ${formatCursor(end.next)} ---`);
  const further = selection.kind === 'tail' ? end.prev : end.next;
  if (further === undefined && !end.live && !asksForNone({ selection })) lines.push('--- End of logs ---');
  return lines;
}

/** Returns a hint for a terminal, for when the default count cut records. */
export function cutLine(selection: Selection): string | undefined {
  switch (selection.kind) {
    case 'tail':
      return `showing the last ${selection.count}; --tail=N, --all or --follow shows more`;
    case 'head':
      return `showing the first ${selection.count}; --head=N, --all or --follow shows more`;
    case 'all':
      return undefined;
  }
}
