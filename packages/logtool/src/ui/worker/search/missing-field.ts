import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { fieldNamesOf, hasField } from '../../../domain/search/line-matcher.ts';
import type { LineSearch } from '../../../domain/search/line-search.ts';
import { parseSearch } from '../../../domain/search/search-query.ts';
import type { MissingField } from '../session/protocol.ts';
import { KIND } from '../store/entry-table.ts';
import type { LineStore } from '../store/line-store.ts';

/** Of more lines the newest are looked at. */
const MAX_LINES = 20_000;
/** Lines whose fields are known by name. */
const NAMED_LINES = 300;

/**
 * The first field of a search that none of the held lines has: it may be mistyped, or be in lines that were not read.
 * Undefined: each is in one, or nothing is held.
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

/** Of the first lines only: taking one apart takes long. */
function noteNames(names: Set<string>, line: Parameters<typeof fieldNamesOf>[0], lines: number): void {
  if (lines > NAMED_LINES) return;
  for (const name of fieldNamesOf(line)) names.add(name);
}

/** The fields that lines must have. */
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
