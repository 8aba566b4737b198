import { expect, test } from 'vitest';
import { titleText } from '../../messages/standing.ts';
import type { ConsoleUrl } from '../url/console-url.ts';
import { commandOf } from './command-line.ts';
import { markdownOf } from './copy.ts';

const SOURCES = [
  { id: 'uid-1/app', namespace: 'shop', pod: 'web-1', container: 'app' },
  { id: 'uid-2/app', namespace: 'shop', pod: 'web-2', container: 'app' },
];

const of = (url: Partial<ConsoleUrl>) =>
  commandOf({ ctx: 'prod', src: ['shop:deployments/web'], ...url }, SOURCES);

test('the newest lines of a view are a tail that follows', () => {
  expect(of({})).toEqual({
    text: 'logtool logs shop:deployments/web --kube-context prod --tail=1000 --follow',
    without: [],
  });
});

test('range, levels, zones and a search become flags, quoted for a shell', () => {
  const range = { from: '2026-11-22T12:00:00Z', to: '2026-11-22T13:00:00Z' };
  const zones = { zone: ['eu-1a', 'eu-1b'] };
  expect(
    of({
      ...range,
      src: ['shop:deployments/*'],
      inc: { level: ['warn', 'error'], ...zones },
      q: `can't (charge)`,
      only: true,
      tz: 'utc',
    }),
  ).toEqual({
    text: "logtool logs 'shop:deployments/*' --kube-context prod --since 2026-11-22T12:00:00Z --until 2026-11-22T13:00:00Z --all --level error,warn --zone eu-1a,eu-1b --grep 'can'\\''t' --grep '\\(charge\\)' --all-match --ignore-case --force --timezone utc",
    without: [],
  });
  expect(of({ last: '15m', q: `"can't (charge)" -health`, only: true }).text).toBe(
    "logtool logs shop:deployments/web --kube-context prod --since 15m --all --follow --grep 'can'\\''t \\(charge\\)' --exclude health --ignore-case --force",
  );
});

const TAIL = 'logtool logs shop:deployments/web --kube-context prod --tail=1000 --follow';

test('words that are only marked are highlighted, and a search that marks by more is reported', () => {
  expect(of({ q: 'retrying payment' })).toEqual({
    text: `${TAIL} --highlight retrying --highlight payment --ignore-case`,
    without: [],
  });
  for (const q of ['payment -health', 'payment @level:error', 'payment @route:/pay'])
    expect(of({ q }), q).toEqual({ text: TAIL, without: ['search'] });
});

test('excluded levels and lines without a level are the levels that are left', () => {
  expect(of({ exc: { level: ['info', 'debug'] } })).toEqual({
    text: `${TAIL} --level fatal,error,warn,trace,none`,
    without: [],
  });
  expect(of({ inc: { level: ['none', 'error'] } }).text).toBe(`${TAIL} --level error,none`);
  expect(of({ q: '-@level:debug,none', only: true }).text).toBe(
    `${TAIL} --level fatal,error,warn,info,trace`,
  );
  expect(of({ q: '@level:error', only: true, inc: { level: ['info'] } })).toEqual({
    text: TAIL,
    without: ['levels'],
  });
});

test('excluded containers are left out by pod or by name, as far as flags can', () => {
  const source = (pod: string, container: string) => ({
    id: `${pod}/${container}`,
    namespace: 'shop',
    pod,
    container,
  });
  const all = ['web-1', 'web-2'].flatMap((pod) => [source(pod, 'app'), source(pod, 'proxy')]);
  const without = (...container: readonly string[]) =>
    commandOf({ ctx: '', src: ['deploy/web'], last: '5m', exc: { container } }, all);
  const head = 'logtool logs deploy/web';
  const tail = '--since 5m --all --follow';
  expect(without('web-1/app', 'web-1/proxy')).toEqual({
    text: `${head} --exclude-pod web-1 ${tail}`,
    without: [],
  });
  expect(without('web-1/proxy', 'web-2/proxy')).toEqual({
    text: `${head} --exclude-container proxy ${tail}`,
    without: [],
  });
  expect(without('web-1/app', 'web-1/proxy', 'web-2/proxy')).toEqual({
    text: `${head} --exclude-container proxy --exclude-pod web-1 ${tail}`,
    without: [],
  });
  expect(without('web-1/app')).toEqual({ text: `${head} ${tail}`, without: ['excluded-containers'] });
});

test('chosen containers are named, and what no flag says is reported', () => {
  expect(of({ inc: { container: ['uid-2/app'] }, exc: { container: ['uid-1/app'] } })).toEqual({
    text: 'logtool logs shop:pods/web-2/app --kube-context prod --tail=1000 --follow',
    without: [],
  });
  expect(of({ q: 'slow @user:ada', only: true })).toEqual({
    text: `${TAIL} --grep slow --ignore-case --force`,
    without: ['fields'],
  });
});

test('fields are conditions on the same lines, as far as upper and lower case agree', () => {
  expect(of({ fields: ['route=/Pay', '!user=ada'], q: '@status:>=500 -@attempt:1', only: true })).toEqual({
    text: `${TAIL} --where route=/Pay --where 'user!=ada' --where 'status>=500' --where 'attempt!=1'`,
    without: [],
  });
  expect(of({ q: '@user:Ada', only: true, case: true })).toEqual({
    text: `${TAIL} --where user=Ada`,
    without: [],
  });
  expect(of({ fields: ['a<b=c'] })).toEqual({ text: TAIL, without: ['fields'] });
  expect(of({ fields: ['route=/'], q: '-health', only: true }).text).toBe(
    `${TAIL} --exclude health --ignore-case --where route=/`,
  );
});

test('no line ends the fence of the Markdown, and no address its link', () => {
  expect(markdownOf('a ```` b', 'http://x/?q=(a)')).toBe(
    '[Logs](http://x/?q=%28a%29)\n\n`````text\na ```` b\n`````\n',
  );
  expect(markdownOf('a', 'http://x/')).toContain('\n```text\na\n```\n');
});

test('the title of the tab says how many errors come, else what is open', () => {
  expect(titleText(['shop:deployments/payment', 'web-0'], 3)).toBe('3 err/s · payment, web-0');
  expect(titleText(['shop:deployments/payment'], 0.2)).toBe('0.2 err/s · payment');
  expect(titleText(['shop:deployments/payment'], 12.34)).toBe('12 err/s · payment');
  expect(titleText(['shop:deployments/payment'], 0)).toBe('payment · logtool');
  expect(titleText(['shop:deployments/*'], 0)).toBe('deployments/* · logtool');
});
