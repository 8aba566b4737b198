import { copyText } from '../../app/chrome/copy-button.tsx';
import { formatSearch } from '../../app/search-params.ts';
import type { Note } from '../../messages/notes.ts';
import type { ConsoleSession } from '../session/console-session.ts';
import type { ConsoleUrl } from '../url/console-url.ts';
import { writeConsoleUrl } from '../url/read-console-url.ts';

/** Puts the selected lines, or the active one, on the clipboard as plain text in time order. */
export async function copySelection(session: ConsoleSession): Promise<void> {
  const copied = await session.copyText();
  if (copied === undefined) {
    session.notify({ code: 'nothing-selected' });
    return;
  }
  await put(session, copied.text, { code: 'copied', lines: copied.lines });
}

/** Puts a link on the clipboard that opens the active line, in this view, in any browser that reaches this address. */
export async function copyLink(session: ConsoleSession, url: ConsoleUrl): Promise<void> {
  const row = session.rowOf(session.state().active);
  if (row?.kind !== 'line') {
    session.notify({ code: 'nothing-selected' });
    return;
  }
  const { last: _last, ...rest } = url;
  const search = formatSearch(writeConsoleUrl({ ...rest, line: row.link, follow: false }));
  await put(session, `${location.origin}${location.pathname}${search}`, { code: 'link-copied' });
}

async function put(session: ConsoleSession, text: string, done: Note): Promise<void> {
  try {
    await copyText(text);
    session.notify(done);
  } catch {
    session.notify({ code: 'clipboard-blocked' });
  }
}
