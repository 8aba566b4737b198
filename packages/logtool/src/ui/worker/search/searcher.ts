import { stripSgrText } from '../../../domain/ansi.ts';
import { isReadable, readOfAll } from '../../../domain/coverage/coverage.ts';
import {
  compareEnds,
  type Interval,
  type Intervals,
  intersection,
  intervals,
  NO_INTERVALS,
  union,
} from '../../../domain/coverage/interval.ts';
import { type LineMatcher, levelTest, matchTerms } from '../../../domain/search/line-matcher.ts';
import type { LineSearch } from '../../../domain/search/line-search.ts';
import { findTermFault, parseSearch } from '../../../domain/search/search-query.ts';
import { heldCoverage } from '../coverage/held-coverage.ts';
import { allGaps } from '../coverage/known-gaps.ts';
import type { BufferStatus, FacetFilter, SearchPlan } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { FindHits } from '../store/row.ts';
import { endOfRuns } from './chosen-runs.ts';
import { Judge } from './judge.ts';

type Status = Pick<BufferStatus['search'], 'state' | 'searchedBackTo' | 'error'>;

type LevelTest = (level: number) => boolean;

const NO_FACETS: FacetFilter = { include: {}, exclude: {}, fields: [] };

/** The search of a view: what is searched, how far, and what is wrong with the expression. */
export class Searcher {
  #facets: FacetFilter = NO_FACETS;
  /** Times that are not loaded, of which a scan has shown that they have no hit that the filters accept. */
  #hitless: Intervals = NO_INTERVALS;
  readonly #log: HeldLog;
  readonly #onChange: () => void;
  readonly #judge: Judge;
  #plan: SearchPlan | undefined;
  #matcher: LineMatcher | undefined;
  /** The levels that the search accepts for a record. */
  #levels: LevelTest | undefined;
  /** What the matcher finds: typing an invalid expression leaves it unchanged. */
  #search: LineSearch | undefined;
  #error: BufferStatus['search']['error'];
  #compiling = 0;
  #isCompiling = false;

  constructor(log: HeldLog, onChange: () => void, previous?: Searcher) {
    this.#log = log;
    this.#onChange = onChange;
    this.#judge = new Judge(log.store, 'searched', () => log.view.invalidate(), onChange);
    if (previous === undefined) return;
    this.#facets = previous.#facets;
    this.#plan = previous.#plan;
    this.#error = previous.#error;
    this.#search = previous.#search;
    this.#levels = previous.#levels;
    if (previous.#matcher !== undefined) this.#use(previous.#matcher);
  }

  get facets(): FacetFilter {
    return this.#facets;
  }

  get isOnly(): boolean {
    return this.#matcher !== undefined && this.#plan?.only === true;
  }

  get isActive(): boolean {
    return this.#matcher !== undefined;
  }

  get status(): Status {
    if (this.#matcher === undefined && !this.#isCompiling)
      return { state: 'off', searchedBackTo: undefined, error: this.#error };
    return {
      state: this.#judge.isRunning || this.#isCompiling ? 'searching' : 'done',
      searchedBackTo: searchedBackTo(this.#log, union(this.#hitless, afterRuns(this.#log, this.#facets))),
      error: this.#error,
    };
  }

  /**
   * Tests the level of a record (an index of LEVELS; LEVELS.length: none) for the search; undefined: accepts any level.
   */
  get levels(): LevelTest | undefined {
    return this.#matcher === undefined ? undefined : this.#levels;
  }

  /** The text that lines are searched for; undefined: none. */
  get search(): LineSearch | undefined {
    return this.#search;
  }

  /**
   * Finds the marks in a text, as offsets into it without its ANSI sequences. Undefined: the search only excludes or
   * chooses levels, so that no place in a line is a hit.
   */
  get hitsIn(): FindHits | undefined {
    const matcher = this.#matcher;
    if (matcher === undefined || this.#search === undefined || !seeksText(this.#search)) return undefined;
    return (text) => matcher.spans(stripSgrText(text).text);
  }

  /** Notes that a range was searched without a hit, until the search or the filters change. */
  noteHitless(interval: Interval): void {
    this.#hitless = union(this.#hitless, intervals(interval));
    this.#onChange();
  }

  /** Chooses which lines count as hits, beside the search. */
  setFacets(facets: FacetFilter): void {
    this.#facets = facets;
    this.#hitless = NO_INTERVALS;
  }

  set(plan: SearchPlan): void {
    this.#hitless = NO_INTERVALS;
    const before = this.#plan;
    this.#plan = plan;
    if (before !== undefined && isSameSearch(before, plan) && this.#error === undefined) {
      this.#onChange();
      return;
    }
    const number = ++this.#compiling;
    this.#isCompiling = false;
    const terms = plan.regex ? [] : parseSearch(plan.text);
    // Only blanks, or an incomplete term.
    if (plan.regex ? plan.text.trim() === '' : terms.length === 0) {
      this.#error = undefined;
      this.#matcher = undefined;
      this.#search = undefined;
      this.#judge.stop();
      this.#onChange();
      return;
    }
    if (!plan.regex) {
      const fault = findTermFault(plan.text);
      const texts = terms.filter(({ kind }) => kind !== 'level');
      if (fault === undefined) this.#accept(matchTerms(texts, plan), plan, levelTest(terms));
      else this.#refuse(fault);
      return;
    }
    this.#isCompiling = true;
    this.#onChange();
    void this.#compile(plan, number);
  }

  /** Resolves when all loaded lines were searched. */
  settled(): Promise<void> {
    return this.#judge.settled();
  }

  close(): void {
    this.#compiling++;
    this.#judge.stop();
  }

  async #compile(plan: SearchPlan, number: number): Promise<void> {
    const { compileRegex } = await import('./regex-matcher.ts');
    const compiled = await compileRegex(plan);
    if (number !== this.#compiling) return;
    this.#isCompiling = false;
    if ('matcher' in compiled) this.#accept(compiled.matcher, plan, undefined);
    else this.#refuse({ code: 'pattern', ...compiled.fault });
  }

  /** Reports an error; earlier results stay. */
  #refuse(error: BufferStatus['search']['error']): void {
    this.#error = error;
    this.#onChange();
  }

  #accept(
    matcher: LineMatcher,
    { text, matchCase, wholeWord, regex }: LineSearch,
    levels: LevelTest | undefined,
  ): void {
    this.#error = undefined;
    this.#levels = levels;
    this.#search = { text, matchCase, wholeWord, regex };
    this.#use(matcher);
    this.#onChange();
  }

  #use(matcher: LineMatcher): void {
    this.#matcher = matcher;
    this.#judge.start(matcher);
  }
}

function seeksText({ text, regex }: LineSearch): boolean {
  return regex || parseSearch(text).some((term) => term.kind !== 'level' && !term.not);
}

/** The time after the end of the chosen runs: no line of it is of them. */
function afterRuns(log: HeldLog, facets: FacetFilter): Intervals {
  const end = endOfRuns(log, facets);
  return end === undefined ? NO_INTERVALS : [{ from: end, to: undefined }];
}

/**
 * Everything from this second on was searched: it is held, or a scan found no hit in it, and nothing is known to be
 * missing. Undefined: what is held does not reach the end, has gaps, or lacks a container: the hits are then those of the
 * held lines, of any time.
 */
function searchedBackTo(log: HeldLog, hitless: Intervals): number | undefined {
  const { store } = log;
  // A row of a gap may stand above the first line, at a time up to which nothing is held.
  const first = store.edgeLine('first');
  const coverage = heldCoverage(log);
  if (first === undefined || !isReadable(coverage)) return undefined;
  const begin = store.time(first);
  if (allGaps(log, undefined).some(({ to }) => compareEnds(to, begin) > 0)) return undefined;
  const held = intersection(readOfAll(coverage), [{ from: begin, to: undefined }]);
  const newest = union(held, hitless).at(-1);
  return newest === undefined || newest.to !== undefined ? undefined : (newest.from ?? begin).seconds;
}

function isSameSearch(a: SearchPlan, b: SearchPlan): boolean {
  return (
    a.text === b.text && a.matchCase === b.matchCase && a.wholeWord === b.wholeWord && a.regex === b.regex
  );
}
