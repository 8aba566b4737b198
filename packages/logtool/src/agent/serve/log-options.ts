import { parseTimestamp, type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import {
  badInteger,
  badTime,
  notSupported,
  type OptionProblem,
  optionsNotValid,
} from '../../agent-api/status/log-status.ts';
import type { Status } from '../../agent-api/status/status.ts';
import type { StreamName } from '../../backend/entry-lines.ts';

/** Which lines of which container, as a request asks for them. */
export interface LogOptions {
  /** '' if the request names none. */
  readonly container: string;
  readonly uid: string;
  readonly run: number | undefined;
  readonly previous: boolean;
  readonly follow: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  /** Leave out lines before this time. */
  readonly since: Timestamp | undefined;
  /** Only lines of this stream. */
  readonly stream: StreamName | undefined;
}

/** Parameters that only entries have: other lines, or another form, would answer them. */
const OF_ENTRIES = [
  'from',
  'until',
  'after',
  'before',
  'direction',
  'limit',
  'grep',
  'ignoreCase',
  'exclude',
  'level',
  'context',
  'maxScan',
  'count',
] as const;
/** As core names streams (k8s.io/api/core/v1, LogStreamStdout). */
export const STREAMS: ReadonlyMap<string, StreamName> = new Map([
  ['Stderr', 'stderr'],
  ['Stdout', 'stdout'],
]);
export const ALL_STREAMS = 'All';
const MAX_INTEGER = 2n ** 63n;

/**
 * Reads the parameters of a request for a log. Those of core mean what they mean there
 * (https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#get-read-log-of-the-specified-pod);
 * `uid` and `run` (the restart count of the run) choose older pods and runs, and `stream` goes with `tailLines`, too. `nowMs`: ms since the epoch.
 */
export function readLogOptions(
  query: URLSearchParams,
  pod: string,
  nowMs: number,
): LogOptions | { readonly status: Status } {
  const refused = refusedParameter(query);
  if (refused !== undefined) return { status: notSupported(refused) };
  const numbers = readIntegers(query, ['tailLines', 'limitBytes', 'sinceSeconds', 'run']);
  if ('status' in numbers) return numbers;
  const { tailLines, limitBytes, sinceSeconds, run } = numbers;
  const sinceText = query.get('sinceTime') ?? '';
  const sinceTime = sinceText === '' ? undefined : parseTimestamp(sinceText);
  if (sinceText !== '' && sinceTime === undefined) return { status: badTime(sinceText) };
  const previous = isSet(query, 'previous');
  const streamText = query.get('stream') ?? ALL_STREAMS;
  const problems = [
    ...unsupported('stream', streamText, [ALL_STREAMS, ...STREAMS.keys()]),
    ...tooSmall('tailLines', tailLines, 0),
    ...tooSmall('limitBytes', limitBytes, 1),
    ...tooSmall('run', run, 0),
    ...bothGiven(['sinceTime', sinceTime], ['sinceSeconds', sinceSeconds]),
    ...bothGiven(['run', run], ['previous', previous ? true : undefined]),
    ...(sinceTime === undefined ? tooSmall('sinceSeconds', sinceSeconds, 1) : []),
  ];
  if (problems.length > 0) return { status: optionsNotValid(pod, problems) };
  // The API server passes times on in whole seconds.
  const fromTime = sinceTime === undefined ? undefined : { seconds: sinceTime.seconds, nanos: 0 };
  return {
    container: query.get('container') ?? '',
    uid: query.get('uid') ?? '',
    run,
    previous,
    follow: isSet(query, 'follow'),
    timestamps: isSet(query, 'timestamps'),
    tailLines,
    limitBytes,
    stream: STREAMS.get(streamText),
    since: sinceSeconds === undefined ? fromTime : timestampFromMs(nowMs - sinceSeconds * 1000),
  };
}

function refusedParameter(query: URLSearchParams): string | undefined {
  const format = query.get('format');
  if (format !== null && format !== 'text') return 'format';
  return OF_ENTRIES.find((name) => query.has(name));
}

/** Reads parameters that are integers of 64 bits; one that is empty counts as not given. */
export function readIntegers<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Readonly<Partial<Record<Name, number>>> | { readonly status: Status } {
  const read: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const text = query.get(name) ?? '';
    if (text === '') continue;
    const isInteger = /^[-+]?\d{1,19}$/.test(text);
    const exact = isInteger ? BigInt(text.replace('+', '')) : MAX_INTEGER;
    if (exact >= MAX_INTEGER || exact < -MAX_INTEGER) return { status: badInteger(text) };
    read[name] = Number(exact);
  }
  return read;
}

export function tooSmall(field: string, value: number | undefined, least: 0 | 1): readonly OptionProblem[] {
  return value === undefined || value >= least ? [] : [{ field, value, least }];
}

export function unsupported(
  field: string,
  value: string,
  supported: readonly string[],
): readonly OptionProblem[] {
  return supported.includes(value) ? [] : [{ field, unsupported: value, supported }];
}

type Given = readonly [name: string, value: unknown];

export function bothGiven([one, value]: Given, [other, otherValue]: Given): readonly OptionProblem[] {
  return value === undefined || otherValue === undefined ? [] : [{ exclusive: [one, other] }];
}

/** As core reads a boolean: present, and neither `0` nor `false`. */
export function isSet(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}
