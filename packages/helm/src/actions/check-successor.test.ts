import { expect, test } from 'vitest';
import { showingThrown } from '../../../../test/support/helm/shown.ts';
import { chartOf, TINY } from '../../../../test/support/helm/tiny-chart.ts';
import type { Release } from '../release/release.ts';
import { checkSuccessor } from './check-successor.ts';

const chart = (name: string, version: string) =>
  chartOf({ ...TINY, 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\n` });
const before = { name: 'web', chart: chart('logtool', '1.2.0') } as Release;
const check = (name: string, version: string, options = { sameChart: true, neverOlder: true }) =>
  showingThrown(() => checkSuccessor(before, chart(name, version), options))();

test('another chart takes the place of a release only where it was named', () => {
  expect(() => check('nginx', '9.0.0')).toThrow(
    expect.objectContaining({ code: 'chart-differs', exit: 'usage', next: 'name its chart with --chart' }),
  );
  expect(() => check('nginx', '0.1.0', { sameChart: false, neverOlder: false })).not.toThrow();
});

test('an older version does so only where it was asked for', () => {
  for (const version of ['1.1.9', '1.2.0-rc.1', '0.9'])
    expect(() => check('logtool', version)).toThrow(
      expect.objectContaining({
        code: 'chart-older',
        next: expect.stringContaining(`--version ${version}`),
      }),
    );
  for (const version of ['1.2.0', '1.2.0+build', '1.10.0'])
    expect(() => check('logtool', version)).not.toThrow();
  expect(() => check('logtool', '1.0.0', { sameChart: true, neverOlder: false })).not.toThrow();
});
