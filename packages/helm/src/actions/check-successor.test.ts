import { expect, test } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { chartOf, TINY } from '../../../../test/support/helm/tiny-chart.ts';
import type { Release } from '../release/release.ts';
import { checkSuccessor } from './check-successor.ts';

const chart = (name: string, version: string) =>
  chartOf({ ...TINY, 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: "${version}"\n` });
const BEFORE = { name: 'logtool', version: '1.2.0' };
const before = { name: 'web', chart: chart(BEFORE.name, BEFORE.version) } as Release;
const check = (name: string, version: string, options = { sameChart: true, neverOlder: true }) =>
  checkSuccessor(before, chart(name, version), options);

test('another chart takes the place of a release only where it was named', () => {
  expect(() => check('nginx', '9.0.0')).toThrow(
    helmFailed(
      'chart-differs',
      { release: 'web', before: BEFORE, chart: { name: 'nginx', version: '9.0.0' } },
      'usage',
    ),
  );
  expect(() => check('nginx', '0.1.0', { sameChart: false, neverOlder: false })).not.toThrow();
});

test('an older version does so only where it was asked for', () => {
  for (const version of ['1.1.9', '1.2.0-rc.1', '0.9'])
    expect(() => check('logtool', version)).toThrow(
      helmFailed('chart-older', { release: 'web', before: BEFORE, chart: { name: 'logtool', version } }),
    );
  for (const version of ['1.2.0', '1.2.0+build', '1.10.0'])
    expect(() => check('logtool', version)).not.toThrow();
  expect(() => check('logtool', '1.0.0', { sameChart: true, neverOlder: false })).not.toThrow();
});
