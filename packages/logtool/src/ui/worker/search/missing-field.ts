import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { fieldNamesOf, hasField } from '../../../domain/search/line-matcher.ts';
import type { LineSearch } from '../../../domain/search/line-search.ts';
import { parseSearch } from '../../../domain/search/search-query.ts';
import type { MissingField } from '../protocol/protocol.ts';
import { KIND } from '../store/entry-table.ts';
import type { LineStore } from '../store/line-store.ts';

/** Of more lines, only the newest are inspected. */
const MAX_LINES = 20_000;
/** How many lines are parsed for their field names. */
const NAMED_LINES = 300;

/**
 * Returns the first field of a search that no held line has: it may be mistyped, or be in lines that were not read.
 * Undefined: some line has each field, or no lines are held.
 */
export function findMissingField(store: LineStore, search: LineSearch | undefined): MissingField | undefined {
  const unseen = new Set(pathsOf(search));
  if (unseen.size === 0) return undefined;
  const names = new Set<string>();
  let lines = 0;
  for (const line of newestLines(store)) {
    lines++;
    for (const path of unseen) if (hasField(line, path)) unseen.delete(path);
    if (unseen.size === 0) return undefined;
    noteNames(names, line, lines);
  }
  const [path] = unseen;
  if (path === undefined || lines === 0) return undefined;
  return { path, near: nearNames(path, names, 1)[0], lines, isAll: lines === store.lines };
}

/** Parses only the first lines, because parsing is slow. */
function noteNames(names: Set<string>, line: Parameters<typeof fieldNamesOf>[0], lines: number): void {
  if (lines > NAMED_LINES) return;
  for (const name of fieldNamesOf(line)) names.add(name);
}

/** The fields that the search requires of lines. */
function pathsOf(search: LineSearch | undefined): readonly string[] {
  if (search === undefined || search.regex) return [];
  return parseSearch(search.text).flatMap((term) =>
    term.kind === 'json' && !term.not && term.path !== '' ? [term.path] : [],
  );
}

function* newestLines(
  store: LineStore,
): Generator<{ readonly text: string; readonly flags: number }, void, undefined> {
  const { table, order } = store;
  let lines = 0;
  for (const id of order.back(order.end())) {
    if (table.kind(id) !== KIND.line) continue;
    if (lines++ === MAX_LINES) return;
    yield { text: store.text(id), flags: table.flags(id) };
  }
}
