import { formatSearch } from '../../frame/search-params.ts';
import type { ToolProps } from '../tools/slots.ts';
import type { ConsoleUrl, Pin } from '../url/console-url.ts';
import { writeConsoleUrl } from '../url/read-console-url.ts';

/** Servers and proxies reject longer requests: nginx, large_client_header_buffers, 8 KB. */
const MAX_ADDRESS_CHARS = 7_500;
const MAX_NOTE_CHARS = 300;

type Change = Pick<ToolProps, 'session' | 'url' | 'setUrl'>;

/** Pins the active line, or unpins it. */
export function togglePin({ session, url, setUrl }: Change): void {
  const row = session.rowOf(session.state().active);
  if (row?.kind !== 'line') session.notify({ code: 'nothing-selected' });
  else if (url.pins?.some(({ link }) => link === row.link) === true)
    unpin({ session, url, setUrl }, row.link);
  else if (put({ session, url, setUrl }, [...(url.pins ?? []), { link: row.link, note: '' }]))
    session.notify({ code: 'pinned', pins: (url.pins?.length ?? 0) + 1 });
}

export function unpin({ session, url, setUrl }: Change, link: string): void {
  const left = (url.pins ?? []).filter((pin) => pin.link !== link);
  setUrl({ pins: left.length === 0 ? undefined : left }, { replace: true });
  session.notify({ code: 'unpinned', pins: left.length });
}

/** Stores a note for a pinned line. */
export function setNote(change: Change, link: string, note: string): void {
  const text = note.trim().slice(0, MAX_NOTE_CHARS);
  put(
    change,
    (change.url.pins ?? []).map((pin) => (pin.link === link ? { link, note: text } : pin)),
  );
}

/** Returns false, and shows a note, if the address would be too long. */
function put({ session, url, setUrl }: Change, pins: readonly Pin[]): boolean {
  // A moment later, the address names the row being read too: often the pinned one.
  const links = [url.line ?? '', ...pins.map(({ link }) => link)];
  const line = links.reduce((longest, link) => (link.length > longest.length ? link : longest));
  if (addressOf({ ...url, line, pins }).length > MAX_ADDRESS_CHARS) {
    session.notify({ code: 'too-many-pins', maxChars: MAX_ADDRESS_CHARS });
    return false;
  }
  setUrl({ pins }, { replace: true });
  return true;
}

/** The address that shows the pins in any browser that can reach this server. */
export function addressOf(url: ConsoleUrl): string {
  return `${location.origin}${location.pathname}${formatSearch(writeConsoleUrl(url))}`;
}
