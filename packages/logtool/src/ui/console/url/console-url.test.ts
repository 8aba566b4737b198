import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatSearch, parseSearch } from '../../frame/search-params.ts';
import { type ConsoleUrl, SWITCHES } from './console-url.ts';
import { futureEndMs, untilItsEnd } from './future-end.ts';
import { readConsoleUrl, writeConsoleUrl } from './read-console-url.ts';
import { facetFilterOf, followsAtFirst, viewPlanOf } from './view-plan.ts';

const FULL: ConsoleUrl = {
  ctx: 'prod-eu',
  src: ['shop:deployments/web', 'shop:statefulsets/db'],
  last: '30m',
  follow: false,
  q: 'timeout -healthz @level:error & more + 100%',
  ...Object.fromEntries(SWITCHES.map((name) => [name, true])),
  inc: { level: ['error', 'warn'], container: ['uid/app'] },
  exc: { node: ['ip-10-0-3-41'] },
  events: 'all',
  mute: ['Unhealthy', 'Back off'],
  fields: ['route=/api/v1?x=1', '!trace=b7'],
  cols: ['timestamp', 'dot', 'pod', 'json:req.route,x'],
  tz: 'Europe/Madrid',
  line: '2026-11-21T13:42:01.119000000Z~a/b~0',
  pins: [
    { link: '2026-11-21T13:42:01.119000000Z~0~a/b/c', note: 'the first sign & 100% sure' },
    { link: '2026-11-21T13:42:02.000000000Z~0~a/b/c', note: '' },
  ],
};

test('all state of the console comes back from its URL', () => {
  expect(readConsoleUrl(parseSearch(formatSearch(writeConsoleUrl(FULL))))).toEqual(FULL);
  const least: ConsoleUrl = { ctx: 'a', src: ['b'] };
  expect(formatSearch(writeConsoleUrl(least))).toBe('?ctx=a&src=b');
  expect(readConsoleUrl(parseSearch('?ctx=a&src=b'))).toEqual(least);
});

test('no columns is another thing than the columns of the settings', () => {
  const none: ConsoleUrl = { ctx: 'a', src: ['b'], cols: [] };
  expect(readConsoleUrl(parseSearch(formatSearch(writeConsoleUrl(none))))).toEqual(none);
});

test('pins a line once, and ignores what is not a link', () => {
  const text = '?ctx=a&src=b&pin=x&pin=1~0~a+one&pin=1~0~a+two&pin=2~0~a';
  expect(readConsoleUrl(parseSearch(text)).pins).toEqual([
    { link: '1~0~a', note: 'one' },
    { link: '2~0~a', note: '' },
  ]);
});

test('a link that holds nonsense is read as far as it makes sense', () => {
  const text = '?src=a&src=a&src=&follow=maybe&col=nonsense&col=pod&field=x&inc.level=&__proto__=1&last=';
  expect(readConsoleUrl(parseSearch(text))).toEqual({ ctx: '', src: ['a'], cols: ['pod'] });
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      readConsoleUrl(parseSearch(query));
    }),
  );
});

test('a range with an end is not followed, whatever its link says', () => {
  const url = { ctx: 'c', src: ['a'], from: '2026-11-21T10:00:00Z', follow: true };
  expect(followsAtFirst(url)).toBe(true);
  expect(followsAtFirst({ ...url, to: '2026-11-21T11:00:00Z' })).toBe(false);
});

test('a range of the last minutes ends now and follows; one with an end does not', () => {
  const now = Date.parse('2026-11-21T13:42:00.500Z');
  expect(viewPlanOf(FULL, now)).toEqual({
    context: 'prod-eu',
    sources: FULL.src,
    readsRotated: true,
    from: { kind: 'inclusive', at: '2026-11-21T13:12:00.500000000Z' },
    to: undefined,
    opensAt: 'end',
    follow: true,
  });
  const past: ConsoleUrl = {
    ctx: 'a',
    src: ['b'],
    from: '2026-11-21T13:00Z',
    to: '2026-11-21T14:00:00+01:00',
  };
  expect(viewPlanOf(past, now)).toMatchObject({
    from: { at: '2026-11-21T13:00:00.000000000Z' },
    to: { at: '2026-11-21T13:00:00.000000000Z' },
    follow: false,
  });
  expect(viewPlanOf({ ctx: 'a', src: ['b'], from: 'yesterday' }, now).from).toBeUndefined();
});

test('a range that ends in the future has no end until then', () => {
  const now = Date.parse('2026-11-21T13:42:00Z');
  const to = '2026-11-22T00:00:00Z';
  const url: ConsoleUrl = { ctx: 'a', src: ['b'], from: '2026-11-21T13:00Z', to };
  const open = untilItsEnd(url, now);
  expect(viewPlanOf(open, now)).toMatchObject({ to: undefined, follow: true });
  expect(followsAtFirst({ ...open, follow: true })).toBe(true);
  expect(futureEndMs(url, now)).toBe(Date.parse(to));
  expect(untilItsEnd(url, Date.parse(to))).toBe(url);
  expect(untilItsEnd({ ...url, to: '5m' }, now)).toHaveProperty('to', '5m');
  expect(futureEndMs({ last: '5m', to }, now)).toBeUndefined();
});

test('opening keeps to the newest line unless a time, a line or the link says otherwise', () => {
  const base: ConsoleUrl = { ctx: 'a', src: ['b'] };
  expect(followsAtFirst(base)).toBe(true);
  expect(followsAtFirst({ ...base, last: '15m' })).toBe(true);
  expect(followsAtFirst({ ...base, follow: false })).toBe(false);
  expect(followsAtFirst({ ...base, from: '2026-11-21T13:00Z' })).toBe(false);
  expect(followsAtFirst({ ...base, line: 'x' })).toBe(false);
  expect(followsAtFirst({ ...base, from: '2026-11-21T13:00Z', follow: true })).toBe(true);
});

test('fields of the URL become filters, with = in their values', () => {
  expect(facetFilterOf(FULL).fields).toEqual([
    { path: 'route', value: '/api/v1?x=1', exclude: false },
    { path: 'trace', value: 'b7', exclude: true },
  ]);
});
