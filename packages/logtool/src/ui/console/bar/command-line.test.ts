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
  const { text, without } = of({
    src: ['shop:deployments/*'],
    from: '2026-11-22T12:00:00Z',
    to: '2026-11-22T13:00:00Z',
    inc: { level: ['warn', 'error'], zone: ['eu-1a', 'eu-1b'] },
    q: `can't (charge)`,
    only: true,
    tz: 'utc',
  });
  // Both words must occur, which no single expression of the command line can express.
  expect(without).toEqual(['search']);
  expect(text).toBe(
    "logtool logs 'shop:deployments/*' --kube-context prod --since 2026-11-22T12:00:00Z --until 2026-11-22T13:00:00Z --all --level error,warn --zone eu-1a,eu-1b --timezone utc",
  );
  expect(of({ last: '15m', q: `"can't (charge)" -health`, only: true }).text).toBe(
    "logtool logs shop:deployments/web --kube-context prod --since 15m --all --follow --grep 'can'\\''t \\(charge\\)' --exclude health --ignore-case --force",
  );
});

test('chosen containers are named, and what no flag says is reported', () => {
  expect(
    of({ inc: { container: ['uid-2/app'] }, exc: { container: ['uid-1/app'], level: ['debug'] } }),
  ).toEqual({
    text: 'logtool logs shop:pods/web-2/app --kube-context prod --tail=1000 --follow',
    without: ['excluded-levels', 'excluded-containers'],
  });
  expect(
    of({ inc: { level: ['none', 'error'] }, fields: ['route=/pay'], q: '@level:error' }).without,
  ).toEqual(['lines-without-level', 'search', 'fields']);
});

test('no line ends the fence of the Markdown, and no address its link', () => {
  expect(markdownOf('a ```` b', 'http://x/?q=(a)')).toBe(
    '[Logs](http://x/?q=%28a%29)\n\n`````text\na ```` b\n`````\n',
  );
  expect(markdownOf('a', 'http://x/')).toContain('\n```text\na\n```\n');
});

test('the title of the tab says how many errors come, else what is open', () => {
  expect(titleText(['shop:deployments/payment', 'web-0'], 3)).toBe('3 err/s · payment, web-0');
  expect(titleText(['shop:deployments/payment'], 0)).toBe('payment · logtool');
  expect(titleText(['shop:deployments/*'], 0)).toBe('deployments/* · logtool');
});
