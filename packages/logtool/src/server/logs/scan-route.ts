import type { LogQuery } from '../../contract/log-query.ts';
import type { ScanQuery } from '../../contract/scan-query.ts';
import { patternOf } from '../../stream/match/compile-search.ts';
import { type ScanPlan, scanLogs } from '../../stream/scan/scan-logs.ts';
import { NDJSON_HEADERS, NdjsonAnswer, streamed } from '../ndjson/ndjson-answer.ts';
import type { MakeHandler } from '../routes/make-handler.ts';
import { holdSources } from '../security/limit-sources.ts';
import { personOf } from '../session/person-of.ts';
import { guardQuery } from './guard-query.ts';
import { planTime, type QueryPlan } from './plan-query.ts';
import { QueryRun } from './query-run.ts';

/** Default limits for the bytes and the time of a scan. */
const BUDGET = { bytes: 2 ** 30, ms: 60_000 };

/**
 * `POST /contexts/{context}/scan`: the counts and matches of a range, as they are read. What it reads is kept for the
 * next scan of the same session. That scan resolves its sources as usual, checks whether their logs may be read, and
 * then only requests logs that are not kept; for a removed pod it finds none.
 */
export const answerScan: MakeHandler<'POST /contexts/{context}/scan'> = (services) => async (context) => {
  const query = context.req.valid('json');
  const session = context.get('session');
  const owner = { session: session.id, context: context.req.valid('param').context };
  const lease = await services.clusters.client(owner.context, session);
  let letGo = () => {};
  try {
    const guarded = guardQuery(windowOf(query), services, lease.client);
    const plan = planScan(query, guarded.plan);
    const turn = (signal: AbortSignal) => services.windowsFirst.turn(session.id, signal);
    letGo = holdSources(personOf(session), guarded.plan.source.sources.length);
    const answer = new NdjsonAnswer({
      clock: services.clock,
      stream: services.streams.open(session, 'logs'),
      requestSignal: context.req.raw.signal,
      context,
      onEnd: () => {
        letGo();
        lease.release();
      },
    });
    answer.add(
      new QueryRun({
        ...guarded,
        read: (reading, sources) =>
          scanLogs(reading, sources, plan, { kept: services.keptScans.begin(owner), turn }),
        client: lease.client,
        clock: services.clock,
        person: personOf(session),
        wake: answer.wake,
        onRecords: services.onRecordsSent,
      }),
    );
    return streamed(context, answer.body(), NDJSON_HEADERS);
  } catch (error) {
    letGo();
    lease.release();
    throw error;
  }
};

/** Returns the sources, filter and range of a scan as those of a window. */
function windowOf(scan: ScanQuery): LogQuery {
  const {
    from,
    to,
    search,
    fields: _fields,
    bucketMs: _width,
    hits: _hits,
    grouping: _grouping,
    levels: _levels,
    without: _without,
    budget: _budget,
    positions: _positions,
    ...query
  } = scan;
  return {
    ...query,
    ...patternOf(search),
    selection: { kind: 'all' },
    from: from === undefined ? undefined : { kind: 'inclusive', at: from },
    to: to === undefined ? undefined : { kind: 'strict', at: to },
  };
}

function planScan(
  {
    from,
    to,
    search,
    fields = [],
    levels,
    grouping,
    bucketMs,
    hits,
    without,
    budget = BUDGET,
    positions,
  }: ScanQuery,
  { engine }: QueryPlan,
): ScanPlan {
  return {
    range: {
      from: from === undefined ? undefined : planTime(from),
      to: to === undefined ? undefined : planTime(to),
    },
    previous: engine.window.previous,
    filter: { ...engine.filter, wholeRecords: grouping !== false },
    levels,
    search: { search, fields },
    bucketMs,
    hits,
    without: without && new Set(without),
    budget,
    maxLogRequests: engine.maxLogRequests,
    positions: positions && new Map(positions.map(({ id, at, shown }) => [id, { at: planTime(at), shown }])),
  };
}
