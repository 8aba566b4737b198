import { parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { badTime, notSupported, optionsNotValid } from '../../agent-api/status/log-status.ts';
import type { Status } from '../../agent-api/status/status.ts';
import { parsePosition } from '../../backend/log-position.ts';
import type { Bound, EntryQuery, Point } from '../entries/entry-query.ts';
import {
  ALL_STREAMS,
  bothGiven,
  isSet,
  readIntegers,
  STREAMS,
  tooSmall,
  unsupported,
} from './log-options.ts';

/** Which entries of which container, as a request asks for them. */
export interface EntryOptions extends EntryQuery {
  /** '' if the request names none. */
  readonly container: string;
  readonly uid: string;
  /** Undefined: all runs, unless `previous` chooses one. */
  readonly run: number | undefined;
  readonly previous: boolean;
}

/** Parameters of core that choose lines in another way. */
const OF_TEXT = ['tailLines', 'sinceTime', 'sinceSeconds', 'limitBytes'] as const;
const FORWARD = 'forward';
const BACKWARD = 'backward';

/**
 * Reads the parameters of a request for entries. `from` and `until` include what lies exactly there, `after` and `before`
 * do not; each is a time or a position.
 */
export function readEntryOptions(
  query: URLSearchParams,
  pod: string,
): EntryOptions | { readonly status: Status } {
  const refused = OF_TEXT.find((name) => query.has(name));
  if (refused !== undefined) return { status: notSupported(refused) };
  if (isSet(query, 'follow')) return { status: notSupported('follow') };
  const numbers = readIntegers(query, ['run', 'limit']);
  if ('status' in numbers) return numbers;
  const lower = boundOf(query, 'from', 'after');
  if (lower !== undefined && 'status' in lower) return lower;
  const upper = boundOf(query, 'until', 'before');
  if (upper !== undefined && 'status' in upper) return upper;
  const { direction, stream, previous, container = '', uid = '' } = textsOf(query);
  const problems = [
    ...unsupported('stream', stream, [ALL_STREAMS, ...STREAMS.keys()]),
    ...unsupported('direction', direction, [FORWARD, BACKWARD]),
    ...tooSmall('run', numbers.run, 0),
    ...tooSmall('limit', numbers.limit, 1),
    ...bothGiven(['run', numbers.run], ['previous', previous ? true : undefined]),
    ...bothNamed(query, 'from', 'after'),
    ...bothNamed(query, 'until', 'before'),
  ];
  if (problems.length > 0) return { status: optionsNotValid(pod, problems) };
  const isBackward = direction === BACKWARD;
  return {
    container,
    uid,
    run: numbers.run,
    previous,
    lower,
    upper,
    direction: isBackward ? BACKWARD : FORWARD,
    limit: numbers.limit,
    stream: STREAMS.get(stream),
  };
}

function textsOf(query: URLSearchParams) {
  return {
    container: query.get('container') ?? undefined,
    uid: query.get('uid') ?? undefined,
    direction: query.get('direction') ?? FORWARD,
    stream: query.get('stream') ?? ALL_STREAMS,
    previous: isSet(query, 'previous'),
  };
}

function bothNamed(query: URLSearchParams, one: string, other: string): ReturnType<typeof bothGiven> {
  return bothGiven([one, query.get(one) ?? undefined], [other, query.get(other) ?? undefined]);
}

function boundOf(
  query: URLSearchParams,
  inclusive: string,
  exclusive: string,
): Bound | undefined | { readonly status: Status } {
  const isInclusive = query.has(inclusive);
  const text = query.get(inclusive) ?? query.get(exclusive);
  if (text === null) return undefined;
  const point = pointOf(text);
  return point === undefined ? { status: badTime(text) } : { point, isInclusive };
}

function pointOf(text: string): Point | undefined {
  const position = parsePosition(text);
  if (position !== undefined) return { kind: 'position', position };
  const at = parseTimestamp(text);
  return at && { kind: 'time', at };
}
