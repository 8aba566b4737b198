import { matchAccessHead } from './access-line.ts';
import { type FoundField, type FoundFields, namedField, pieceOf, trimmedEnd } from './structured-line.ts';

type Range = readonly [start: number, end: number];
type NamedRange = readonly [key: AccessKey, range: Range | undefined];

/** The fields of an access log line, which does not write their names. */
export const ACCESS_KEYS = [
  'status',
  'bytes',
  'referer',
  'user_agent',
  'client',
  'user',
  'vhost',
  'rest',
] as const;
type AccessKey = (typeof ACCESS_KEYS)[number];

/** The number of bytes, in formats that write it here. */
const BYTES = / (\d{1,20}|-)(?= |$)/dy;
const REFERER_AND_AGENT = / "([^"\\]*(?:\\.[^"\\]*)*)" "([^"\\]*(?:\\.[^"\\]*)*)"/dy;

/** Returns the fields of an access log line; its message is the request. */
export function accessFields(text: string): FoundFields | undefined {
  const head = matchAccessHead(text);
  const groups: Readonly<Record<string, Range | undefined>> = head?.indices?.groups ?? {};
  if (head === null || groups.request === undefined) return undefined;
  let at = head[0].length;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    at += match?.[0].length ?? 0;
    return match?.indices;
  };
  // Envoy writes flags here.
  const bytes = groups.client === undefined ? undefined : next(BYTES);
  const agent = next(REFERER_AND_AGENT);
  const end = trimmedEnd(text, at, text.length);
  const ranges: readonly NamedRange[] = [
    ['status', groups.status],
    ['bytes', bytes?.[1]],
    ['referer', agent?.[1]],
    ['user_agent', agent?.[2]],
    ['client', groups.client],
    ['user', groups.user],
    ['vhost', groups.vhost],
    ['rest', [Math.min(at + 1, end), end]],
  ];
  const fields = ranges.flatMap(([key, range]): readonly FoundField[] => {
    const value = range === undefined ? '' : text.slice(...range);
    return range === undefined || value === '' || value === '-' ? [] : [namedField(text, key, range)];
  });
  return { message: [pieceOf(text, ...groups.request)], fields };
}
