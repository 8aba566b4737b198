import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChartWork, ReleaseInput } from '@logtool/helm/src/render/chart-work.ts';
import { CHARTS_IN_PROCESS } from '@logtool/helm/src/render/charts-in-process.ts';
import { findThreadScripts } from '@logtool/kube/src/thread/thread-scripts.ts';
import { afterEach, beforeEach, expect, it, test } from 'vitest';
import { chartsOnDemand, chartThreadCode } from './with-charts.ts';

const BUNDLED = join(import.meta.dirname, '../../../../../charts/logtool');
const inputOf = (chart: ReleaseInput['chart']): ReleaseInput => ({
  name: 'logtool',
  namespace: 'ns',
  revision: 1,
  isUpgrade: false,
  chart,
  values: new Map(),
  capabilities: { kubeVersion: { version: 'v1.35.0', major: '1', minor: '35' }, apiVersions: ['v1'] },
  nowMs: Date.UTC(2026, 10, 21, 10),
});
const nothing = async () => new Map();

/** Returns chart work that counts its calls and starts. */
function counted() {
  const done: string[] = [];
  const count =
    <A extends unknown[], R>(name: string, act: (...given: A) => R) =>
    (...given: A): R => {
      done.push(name);
      return act(...given);
    };
  const charts = chartsOnDemand((): ChartWork => {
    done.push('start');
    const { load, unpack, readObjects, render } = CHARTS_IN_PROCESS;
    return {
      load: count('load', load),
      unpack: count('unpack', unpack),
      readObjects: count('readObjects', readObjects),
      render: count('render', render),
    };
  });
  return { charts, done };
}

test('the bundled chart is read and rendered without what works on the charts of others', async () => {
  const { charts, done } = counted();
  const chart = await charts.loadBundled(BUNDLED);
  const { objects } = await charts.render(inputOf(chart), nothing);
  expect(objects.length).toBeGreaterThan(3);
  expect(done).toEqual([]);
});

test('every other chart is worked on elsewhere, the same files too, by what starts once', async () => {
  const { charts, done } = counted();
  charts.expectForeign();
  const chart = await charts.load(BUNDLED);
  await charts.render(inputOf(chart), nothing);
  // Trust depends on where the chart was read from, not on its content.
  await charts.render(inputOf({ ...(await charts.loadBundled(BUNDLED)) }), nothing);
  expect(done).toEqual(['start', 'load', 'render', 'render']);
});

let home = '';
const named = (name: string) => findThreadScripts(() => join(home, name));
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'thread-code-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('keeps compiled code only for the same script', () => {
  const env = { XDG_CACHE_HOME: home };
  const script = { text: Buffer.from('exports.a = 1'), code: Buffer.from([1, 2, 3]) };
  named('chart-0123ABCD.cjs');
  expect(chartThreadCode(env)?.read()).toBeUndefined();
  chartThreadCode(env)?.write(script);
  expect(chartThreadCode(env)?.read()).toEqual(script);
  named('chart-0123ABCE.cjs');
  expect(chartThreadCode(env)?.read()).toBeUndefined();
});

it('keeps nothing if that is turned off, or if the name does not identify the content', () => {
  named('chart-0123ABCD.cjs');
  expect(chartThreadCode({ XDG_CACHE_HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' })).toBeUndefined();
  expect(chartThreadCode({ XDG_CACHE_HOME: 'relative' })).toBeUndefined();
  named('chart.cjs');
  expect(chartThreadCode({ XDG_CACHE_HOME: home })).toBeUndefined();
});
