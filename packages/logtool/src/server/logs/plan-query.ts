import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogQuery, WireBound } from '../../contract/log-query.ts';
import { NODE_COLUMNS } from '../../domain/columns.ts';
import { parseCursor } from '../../domain/cursor.ts';
import type { Bound, Window } from '../../domain/window.ts';
import type { SourcePlan } from '../../resolve/resolve.ts';
import { readSources } from '../../resolve/sources/read-sources.ts';
import type { EnginePlan, ResumePlan } from '../../stream/plan/engine.ts';
import { type QueryProblem, serverFailure } from '../failures.ts';

/** One query of the page, for the modules that answer it. */
export interface QueryPlan {
  readonly source: SourcePlan;
  readonly engine: EnginePlan;
}

/** Maximum containers of one query to read simultaneously; others take turns. */
const MAX_LOG_REQUESTS = 200;
const SEARCH_LIMIT_BYTES = 2 ** 30;

/** Checks a query and converts it for the engine. Throws usage errors. `confinedTo`: see SourcePlan. */
export function planQuery(query: LogQuery, confinedTo?: readonly string[]): QueryPlan {
  const source: SourcePlan = {
    sources: query.sources,
    confinedTo,
    selector: query.selector,
    allContainers: query.allContainers === true,
    nodes: query.nodes ?? [],
    regions: query.regions ?? [],
    zones: query.zones ?? [],
    os: query.os ?? [],
    arch: query.arch ?? [],
    placement: NODE_COLUMNS,
  };
  readSources(source);
  const resume = planResume(query);
  return {
    source,
    engine: {
      window: resume === undefined ? planWindow(query) : resumedWindow(query, resume),
      filter: {
        grep: query.grep,
        exclude: query.exclude ?? [],
        ignoreCase: query.ignoreCase === true,
        levels: query.levels ?? [],
        beforeContext: 0,
        afterContext: 0,
      },
      maxLogRequests: MAX_LOG_REQUESTS,
      searchLimitBytes: SEARCH_LIMIT_BYTES,
      cursors: true,
      raw: false,
      patienceMs: query.patienceMs,
      without: query.without && new Set(query.without),
      afterTo: query.held && new Map(query.held.map(({ order, lines }) => [order, lines])),
      resume,
    },
  };
}

function planWindow(query: LogQuery): Window {
  const follow = query.follow === true;
  if (follow && query.to !== undefined) throw badQuery('ends-and-follows');
  if (follow && query.selection.kind === 'head') {
    throw badQuery('head-and-follows');
  }
  if (follow && query.rotated === 'only') throw badQuery('rotated-and-follows');
  return {
    selection: query.selection,
    from: query.from === undefined ? undefined : planBound(query.from),
    to: query.to === undefined ? undefined : planBound(query.to),
    follow,
    previous: query.previous ?? 'auto',
  };
}

function resumedWindow(query: LogQuery, { since }: ResumePlan): Window {
  return {
    selection: { kind: 'all' },
    from: since === undefined ? undefined : { kind: 'inclusive', at: since },
    follow: true,
    previous: query.previous ?? 'auto',
  };
}

function planResume({ resume, follow }: LogQuery): ResumePlan | undefined {
  if (resume === undefined) return undefined;
  if (follow !== true) throw badQuery('resumes-without-following');
  return {
    since: resume.since === undefined ? undefined : planTime(resume.since),
    points: new Map(
      resume.points.map(({ id, run, at }) => [
        id,
        { runId: run, at: at === undefined ? undefined : planTime(at) },
      ]),
    ),
  };
}

function planBound(bound: WireBound): Bound {
  if (bound.kind !== 'cursor') return { kind: bound.kind, at: planTime(bound.at) };
  // A position before all records of its time is written without a count.
  const cursor = bound.at.includes('~') ? parseCursor(bound.at) : { at: planTime(bound.at), shown: 0 };
  if (cursor === undefined) throw badTime(bound.at);
  return { kind: 'cursor', cursor };
}

/** Reads a time of the contract. Throws a usage error. */
export function planTime(text: string): Timestamp {
  const at = parseTimestamp(text);
  if (at === undefined) throw badTime(text);
  return at;
}

function badTime(text: string): CodedError {
  return serverFailure('bad-time', { text }, { exit: 'usage' });
}

function badQuery(problem: QueryProblem): CodedError {
  return serverFailure('bad-query', { problem }, { exit: 'usage' });
}
