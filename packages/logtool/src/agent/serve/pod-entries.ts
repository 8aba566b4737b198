import { runNotFound } from '../../agent-api/status/log-status.ts';
import type { Status } from '../../agent-api/status/status.ts';
import { LogFiles } from '../entries/log-files.ts';
import { walkEntries } from '../entries/walk-entries.ts';
import type { EntryOptions } from './entry-options.ts';
import { entryText, errorText } from './entry-text.ts';
import { chooseRun, findContainer, type LogReading, type PodName } from './pod-log.ts';
import { openPodSearch } from './pod-search.ts';
import type { SearchOptions } from './search-options.ts';

/**
 * Opens entries of a container with their positions, of one run or of all that the node has: all, those that a search finds,
 * or their counts. Whether the caller may read
 * them is decided before. Throws, and so does the body, what the folder throws.
 */
export async function openPodEntries(
  asked: PodName,
  options: EntryOptions,
  search: SearchOptions | undefined,
  reading: LogReading,
): Promise<
  | { readonly status: Status }
  | { readonly body: AsyncIterable<Uint8Array>; readonly failureText: (status: Status) => Uint8Array }
> {
  const found = await findContainer(asked, options, reading);
  if ('status' in found) return found;
  const { folder, container, runs } = found;
  const { run, previous } = options;
  if (runs.length === 0) return { status: runNotFound(undefined, container, asked.pod) };
  const isOfOne = run !== undefined || previous;
  const chosen = isOfOne ? chooseRun(runs, { run, previous }, container, asked.pod) : { number: undefined };
  if ('status' in chosen) return chosen;
  const files = await LogFiles.list(folder, chosen.number, reading.signal);
  if (search === undefined) {
    return { body: entryText(walkEntries(files, options, reading)), failureText: errorText };
  }
  const { namespace, pod } = asked;
  const about = { container: { namespace, pod, podUid: options.uid, container }, reading };
  const opened = await openPodSearch(files, options, search, about);
  return 'status' in opened ? opened : { body: entryText(opened.items), failureText: errorText };
}
