import { copyText } from '../../app/chrome/copy-button.tsx';
import { formatSearch } from '../../frame/search-params.ts';
import type { ConsoleSession } from '../session/console-session.ts';
import type { Note } from '../state/note.ts';
import type { ToolProps } from '../tools/slots.ts';
import type { ConsoleUrl } from '../url/console-url.ts';
import { writeConsoleUrl } from '../url/read-console-url.ts';
import { commandOf } from './command-line.ts';

/**
 * Copies the selected lines, or the active one, as plain text in time order. `named`: puts time and container before
 * each line.
 */
export async function copySelection(session: ConsoleSession, how?: 'named'): Promise<void> {
  const copied = await session.copyText(how === 'named');
  if (copied === undefined) {
    session.notify({ code: 'nothing-selected' });
    return;
  }
  await put(session, copied.text, { code: 'copied', lines: copied.lines });
}

/** Copies the same lines as Markdown, under a link that opens the first of them. */
export async function copyMarkdown(session: ConsoleSession, url: ConsoleUrl): Promise<void> {
  const copied = await session.copyText(true);
  if (copied === undefined) {
    session.notify({ code: 'nothing-selected' });
    return;
  }
  const link = copied.link === undefined ? location.href : linkTo(session, url, copied.link);
  await put(session, markdownOf(copied.text, link), { code: 'copied', lines: copied.lines });
}

/** Copies a command that prints what this view shows. */
export async function copyCommand({ session, state, url }: ToolProps): Promise<void> {
  const { text, without } = commandOf(url, state.sources);
  await put(session, text, { code: 'command-copied', without });
}

/** Copies a link that opens the active line in this view, in any browser that can reach this address. */
export async function copyLink(session: ConsoleSession, url: ConsoleUrl): Promise<void> {
  const row = session.rowOf(session.state().active);
  if (row?.kind !== 'line') {
    session.notify({ code: 'nothing-selected' });
    return;
  }
  await put(session, linkTo(session, url, row.link), { code: 'link-copied' });
}

function linkTo(session: ConsoleSession, { last, ...rest }: ConsoleUrl, line: string): string {
  // A relative range such as the last hour differs by the time the link is opened, so use absolute times.
  const from = last === undefined ? rest.from : session.plan?.from?.at;
  const range = from === undefined ? {} : { from };
  const search = formatSearch(writeConsoleUrl({ ...rest, ...range, line, follow: false }));
  return `${location.origin}${location.pathname}${search}`;
}

async function put(session: ConsoleSession, text: string, done: Note): Promise<void> {
  try {
    await copyText(text);
    session.notify(done);
  } catch {
    session.notify({ code: 'clipboard-blocked' });
  }
}

/** Lines for an incident report: a link to the first one, and the lines in a fence that no line can close. */
export function markdownOf(text: string, link: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  // A parenthesis would end the address.
  const address = link.replaceAll('(', '%28').replaceAll(')', '%29');
  return `[Logs](${address})\n\n${fence}text\n${text}\n${fence}\n`;
}
