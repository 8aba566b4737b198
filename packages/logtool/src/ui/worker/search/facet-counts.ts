import { LEVELS } from '../../../domain/filter.ts';
import { fieldNamesOf } from '../../../domain/search/line-matcher.ts';
import { eachCount } from '../coverage/count-range.ts';
import { type CountedScope, type CountedView, isInScope, scopeOf } from '../coverage/counted-view.ts';
import { allGaps } from '../coverage/known-gaps.ts';
import { eachFacet, SOURCE_FACET_NAMES } from '../protocol/facet-table.ts';
import type { FacetCounts, FacetFilter } from '../protocol/protocol.ts';
import { ENTRY_FLAGS, KIND } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import { allows, facetValue, levelName } from './facet-filter.ts';

const MAX_FIELDS = 30;
/**
 * Maximum lines to parse for their fields, sampled evenly over the view; if lines are long, fewer, and the newest ones.
 */
const SAMPLE_LINES = 300;
/** In UTF-16 units: parsing more would delay typing. */
const SAMPLE_UNITS = 512 * 1024;

/** Records of one source by level, like HeldSource.levels. */
type Levels = ArrayLike<number>;

/**
 * Counts records by value. Each facet counts the records that all other filters accept, so that a value shows what
 * choosing it would show. Covers the whole range if that was counted, else the held lines. Adds the fields of a sample
 * of the view.
 */
export function countFacets(
  log: HeldLog,
  filter: FacetFilter,
  counted: CountedView | undefined,
): FacetCounts {
  const counts = eachFacet(tally);
  const scope = counted && scopeOf(counted);
  const levelPasses = Array.from({ length: LEVELS.length + 1 }, (_, level) =>
    allows(filter, 'level', levelName(level)),
  );
  for (const [source, levels] of levelsBySource(log, counted, scope)) {
    if (source.isLeftOut) continue;
    const refused = SOURCE_FACET_NAMES.filter((name) => !allows(filter, name, facetValue(source, name)));
    const lines = levelPasses.reduce((sum, passes, level) => sum + (passes ? (levels[level] ?? 0) : 0), 0);
    for (const name of SOURCE_FACET_NAMES) {
      const value = facetValue(source, name);
      if (value === '' || refused.some((other) => other !== name)) continue;
      add(counts[name], value, lines);
    }
    if (refused.length > 0) continue;
    for (let level = 0; level <= LEVELS.length; level++)
      add(counts.level, levelName(level), levels[level] ?? 0);
  }
  return { ...counts, ...sampleFields(log), ...runsAndPartial(log, counted, counts.run) };
}

/** The counts of runs, and which of all counts cover only a part. */
function runsAndPartial(
  log: HeldLog,
  counted: CountedView | undefined,
  countedRuns: FacetCounts['run'],
): Pick<FacetCounts, 'run' | 'partial'> {
  const partial = partialValues(log, counted);
  if (counted === undefined) return { run: countedRuns, partial };
  const { run, runs } = countHeldRuns(log);
  return { run, partial: { ...partial, run: runs } };
}

/** Counts held lines by run, because scans count by container only. */
function countHeldRuns(log: HeldLog): { readonly run: FacetCounts['run']; readonly runs: readonly string[] } {
  const run = tally();
  for (const [source, levels] of levelsBySource(log, undefined, undefined))
    if (!source.isLeftOut) for (const lines of Array.from(levels)) add(run, source.wire.order, lines);
  return { run, runs: Object.keys(run) };
}

/**
 * Facet values of containers that were read less far than the counts cover, or that have gaps which the scope of the
 * counts does not name, because the facets refuse them.
 */
function partialValues(log: HeldLog, counted: CountedView | undefined): FacetCounts['partial'] {
  const scope = counted && scopeOf(counted);
  const gaps = counted === undefined ? [] : allGaps(log, { ...counted, isWanted: () => true });
  const withGaps = new Set(gaps.map(({ id }) => id).filter((id) => id !== undefined));
  const isPartial = (id: string) =>
    scope?.isPartial(id) === true || (withGaps.has(id) && counted?.isWanted(id) === false);
  const partial = log.store.sources.all.filter(({ wire }) => isPartial(wire.id));
  return eachFacet((name) =>
    name === 'level' ? [] : [...new Set(partial.map((source) => facetValue(source, name)))],
  );
}

function add(counts: Record<string, number>, value: string, lines: number): void {
  if (lines > 0 || counts[value] === undefined) counts[value] = (counts[value] ?? 0) + lines;
}

/** Counts records of each source by level, ignoring facets. */
function levelsBySource(
  log: HeldLog,
  counted: CountedView | undefined,
  scope: CountedScope | undefined,
): ReadonlyMap<HeldSource, Levels> {
  const { store, view } = log;
  const { byFields, bySearch } = view.filter;
  const isAll = counted === undefined && !byFields && !bySearch;
  const levels = new Map(
    store.sources.all.map((source) => [
      source,
      isAll ? [...source.levels] : Array.from({ length: LEVELS.length + 1 }, () => 0),
    ]),
  );
  const visit = (source: HeldSource, level: number, lines: number) => {
    const own = levels.get(source);
    if (own !== undefined) own[level] = (own[level] ?? 0) + lines;
  };
  if (isAll) joinLines(log, visit);
  else if (counted === undefined || scope === undefined) eachFound(log, visit);
  else
    eachCount(log, counted.scan, counted.onlyMatches, (source, level, atMs, lines) => {
      if (isInScope(scope, source.wire.id, atMs)) visit(source, level, lines);
    });
  return levels;
}

/**
 * Calls with the corrections that turn counts of held lines into counts of records: a record of several lines counts
 * once, with its level.
 */
function joinLines(
  { store, view, groups }: HeldLog,
  visit: (source: HeldSource, level: number, lines: number) => void,
): void {
  view.refresh();
  const { table, sources } = store;
  for (const head of groups.heads()) {
    const source = sources.get(table.source(head));
    const lines = groups.linesOf(head);
    for (const line of lines) visit(source, table.level(line), -1);
    visit(source, groups.levelOf(lines), 1);
  }
}

/** Calls with the held records that fields and search accept. */
function eachFound(
  { store, view, groups }: HeldLog,
  visit: (source: HeldSource, level: number, lines: number) => void,
): void {
  view.refresh();
  const { table, sources, order } = store;
  for (const id of order.from({ chunk: 0, offset: 0 })) {
    if (table.kind(id) !== KIND.line || groups.headOf(id) !== undefined) continue;
    const lines = groups.linesOf(id);
    if (view.finds(lines)) visit(sources.get(table.source(id)), groups.levelOf(lines), 1);
  }
}

/** Returns a tally without a prototype, because value names come from input and could pollute one. */
function tally(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
}

function sampleFields({ store, view }: HeldLog): Pick<FacetCounts, 'fields' | 'fieldsOf'> {
  const counts = new Map<string, number>();
  const step = Math.max(1, Math.floor(view.total / SAMPLE_LINES));
  let lines = 0;
  let units = 0;
  for (let index = view.total - 1; index >= 0 && units < SAMPLE_UNITS; index -= step) {
    const id = view.at(index);
    if (id === undefined || store.table.kind(id) !== KIND.line) continue;
    lines++;
    const text = store.text(id);
    const flags = store.table.flags(id);
    // Text styled with colors is never parsed, so a column of its fields would be empty.
    if ((flags & ENTRY_FLAGS.json) === 0 && (flags & ENTRY_FLAGS.escapes) !== 0) continue;
    units += text.length;
    for (const path of new Set(fieldNamesOf({ text, flags }))) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const fields = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_FIELDS);
  return { fields, fieldsOf: lines };
}
