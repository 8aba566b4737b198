import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, expect, test } from 'vitest';
import { doublingSchema } from '../../../../test/support/helm/doubling-schema.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { type ChartSource, chartOf, TINY, writeChart } from '../../../../test/support/helm/tiny-chart.ts';
import { packChart } from '../chart/pack-chart.ts';
import { GoInt, type Value, type ValueMap } from '../value/value.ts';
import { CHART_LIMITS, type ChartLimits } from './chart-limits.ts';
import type { ReleaseInput } from './chart-work.ts';
import { CHARTS_IN_PROCESS, renderRelease } from './charts-in-process.ts';
import type { Lookup } from './lookup.ts';
import { restoreIntegers } from './restore-integers.ts';
import { type ChartThread, startChartThread } from './start-chart-thread.ts';

const started: ChartThread[] = [];
afterEach(() => {
  for (const thread of started.splice(0)) thread.close();
});

function start(limits: Partial<ChartLimits> = {}, clock: Clock = systemClock, signal?: AbortSignal) {
  const thread = startChartThread({ clock, signal, limits: { ...CHART_LIMITS, ...limits } });
  started.push(thread);
  return thread;
}

const inputOf = (source: ChartSource, values: ValueMap = new Map()): ReleaseInput => ({
  name: 'rel',
  namespace: 'ns',
  revision: 2,
  isUpgrade: true,
  values,
  chart: { ...chartOf(source), ...schemaIn(source) },
  capabilities: { kubeVersion: { version: 'v1.35.0', major: '1', minor: '35' }, apiVersions: ['v1'] },
  nowMs: Date.UTC(2026, 10, 21, 10),
});
const schemaIn = (source: ChartSource) => {
  const text = source['values.schema.json'];
  return text === undefined ? {} : { schema: Buffer.from(text) };
};
const template = (text: string): ChartSource => ({ ...TINY, 'templates/a.yaml': text });
const nothing: Lookup = async () => new Map();

/** A chart whose check never ends, and never reads the time. */
const ENDLESS = { ...TINY, 'values.schema.json': doublingSchema(60) };

test('renders as in the process: values, integers, lookups, hooks, notes and objects', async () => {
  const text = `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  text: |
    type: {{ typeOf .Values.count }} {{ .Values.count }} {{ typeOf .Values.list }} {{ kindOf (index .Values.list 0) }}
    found: {{ (lookup "v1" "ConfigMap" "ns" "x").data | toJson }} {{ typeOf (lookup "v1" "ConfigMap" "ns" "x").count }}
    lost: {{ lookup "v1" "ConfigMap" "ns" "y" | toJson }}
    now: {{ now | date "2006-01-02" }}
`;
  const values: ValueMap = new Map<string, Value>([
    ['count', new GoInt(3, 'int64')],
    ['list', [new GoInt(4, 'int64'), new Map([['deep', new GoInt(5, 'int64')]])]],
  ]);
  const found: ValueMap = new Map<string, Value>([
    ['data', new Map([['a', 1]])],
    ['count', new GoInt(7)],
  ]);
  const lookup: Lookup = async ([, , , name]) => (name === 'y' ? new Map() : found);
  const input = inputOf(template(text), values);
  const thread = start();
  const rendered = await thread.render(input, lookup);
  expect(rendered).toEqual(restoreIntegers(structuredClone(await CHARTS_IN_PROCESS.render(input, lookup))));
  expect(rendered.manifest).toContain('type: int64 3 []interface {} int64');
  expect(rendered.manifest).toContain('found: {"a":1} int\n');
  expect(rendered.objects.map(({ kind, name }) => `${kind} ${name}`)).toContain('ConfigMap a');
  expect(rendered.notes).toContain('rel says hello, revision 2');
});

test('reads charts as in the process, from a folder and from an archive', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chart-thread-'));
  try {
    const path = await writeChart(join(folder, 'tiny'), TINY);
    const thread = start();
    const chart = await thread.load(path);
    // A Buffer arrives as plain bytes.
    expect(chart).toEqual(structuredClone(await CHARTS_IN_PROCESS.load(path)));
    const archive = packChart(chart);
    expect(await thread.unpack(archive)).toEqual(structuredClone(await CHARTS_IN_PROCESS.unpack(archive)));
    await expect(thread.load(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    const manifest = 'kind: A\napiVersion: v1\nmetadata: {name: x}\n';
    expect(await thread.readObjects(manifest)).toEqual(await CHARTS_IN_PROCESS.readObjects(manifest));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['a template', template('{{ fail "not so" }}'), 'template-failed'],
  ['a lookup', template('{{ lookup "v1" "Nothing" "" "" }}'), 'template-failed'],
  ['values', { ...TINY, 'values.schema.json': '{"required": ["none"]}' }, 'values-do-not-fit'],
  ['a manifest', template('kind: A\n'), 'manifest-malformed'],
] as const)('an error of %s has the same data as in the process', async (_of, source, code) => {
  const lookup: Lookup = async () => {
    throw new Error('no such kind');
  };
  const failure = async (work: typeof CHARTS_IN_PROCESS) => {
    const error = await work.render(inputOf(source), lookup).catch((thrown: unknown) => thrown);
    const { name, code, data, exit, message } = error as Record<string, unknown>;
    return { name, code, data, exit, message };
  };
  const inThread = await failure(start());
  expect(inThread).toEqual(await failure(CHARTS_IN_PROCESS));
  expect(inThread).toMatchObject({ name: 'CodedError', code });
});

test('ends what has no end when its time is up, and says what was being done', async () => {
  const clock = new FakeClock();
  const thread = start({}, clock);
  const rendering = thread.render(inputOf(ENDLESS), nothing).catch((thrown: unknown) => thrown);
  await clock.advance(CHART_LIMITS.timeMs);
  // The step that the thread reaches until then depends on the machine.
  const step = expect.stringMatching(/^(render-chart|check-values)$/);
  expect(await rendering).toEqual(
    helmFailed('chart-limit', { limit: 'time', step, limitMs: CHART_LIMITS.timeMs }),
  );
  await expect(thread.load('/')).rejects.toMatchObject({ code: 'chart-limit' });
});

test('waiting for the cluster does not count as time of the chart', async () => {
  const clock = new FakeClock();
  const source = template('{{ $x := lookup "v1" "ConfigMap" "ns" "x" }}');
  const events = new EventEmitter();
  const asked = once(events, 'asked');
  const rendering = start({}, clock).render(inputOf(source), async () => {
    events.emit('asked');
    await once(events, 'answered');
    return new Map();
  });
  await asked;
  await clock.advance(10 * CHART_LIMITS.timeMs);
  events.emit('answered');
  expect((await rendering).manifest).toContain('rel-web');
  expect(clock.pending).toBe(0);
});

test('only a chart that fills the memory ends, with an error that says so', async () => {
  const hungry = '{{ $x := list }}{{ range until 1000000 }}{{ $x = append $x (until 1000) }}{{ end }}';
  const tooMuch = (limitMiB: number) =>
    helmFailed('chart-limit', { limit: 'memory', step: 'render-templates', limitMiB });
  await expect(start({ heapMiB: 64 }).render(inputOf(template(hungry)), nothing)).rejects.toEqual(
    tooMuch(64),
  );
  // Also without a separate limit for the heap.
  await expect(
    start({ heapMiB: 4096, growthMiB: 128 }).render(inputOf(template(hungry)), nothing),
  ).rejects.toEqual(tooMuch(128));
});

test('an abort ends it with the reason of the signal, whatever it is doing', async () => {
  const controller = new AbortController();
  const rendering = start({}, systemClock, controller.signal).render(inputOf(ENDLESS), nothing);
  const reason = new Error('interrupted');
  controller.abort(reason);
  await expect(rendering).rejects.toBe(reason);
  const late = start({}, systemClock, controller.signal);
  await expect(late.load('/')).rejects.toBe(reason);
});

test('refuses a manifest of more values than any cluster takes', async () => {
  const source = template('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nlist: [1, 2, 3, 4]\n');
  const render = (max: number) => renderRelease(inputOf(source), nothing, () => undefined, max);
  expect((await render(1000)).objects).not.toEqual([]);
  await expect(render(20)).rejects.toEqual(helmFailed('template-limit', { of: 'manifest-values', max: 20 }));
});
