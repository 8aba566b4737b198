import type { KubeClient, KubeObject, LogQuery } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { expect, test } from 'vitest';
import { drive, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { line, numbered, onePod } from '../../../../../test/support/engine/one-pod.ts';
import type { Frame } from '../../domain/frame.ts';
import type { SourcePlan } from '../../resolve/resolve.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import { namedPod } from '../../resolve/sources/named-pod.ts';
import type { EnginePlan } from '../plan/engine.ts';
import { readLogs } from './read-logs.ts';

const TAIL = planOf({ selection: { kind: 'tail', count: 10 } });
const LINES = numbered(200, 1_000);

type World = ReturnType<typeof onePod>;

interface Held {
  /** Answers a request for the pod with this error if it precedes the request for the log. */
  readonly refuse?: KubeError;
  /** Changes the pod of the answer. */
  readonly change?: (pod: KubeObject) => KubeObject;
  /** Runs after the log's first answer, and before the pod's. */
  readonly between?: () => void;
}

/** Returns a client that holds the pod's answers back until its log is requested, and the aborted requests. */
function heldBack(cluster: World['cluster'], { refuse, change = (pod) => pod, between }: Held) {
  let onLog = () => {};
  const logWasAsked = new Promise<void>((resolve) => {
    onLog = resolve;
  });
  const aborted: LogQuery[] = [];
  const client: KubeClient = {
    ...cluster.client,
    async get<T extends KubeObject>(...[type, ref, options]: Parameters<KubeClient['get']>): Promise<T> {
      await logWasAsked;
      between?.();
      if (refuse !== undefined) throw refuse;
      return change(await cluster.client.get(type, ref, options)) as T;
    },

    log(query, options) {
      options?.signal?.addEventListener('abort', () => aborted.push(query), { once: true });
      const answer = cluster.client.log(query, options);
      const after = () => onLog();
      answer.then(after, after);
      return answer;
    },
  };
  return { client, aborted };
}

/** Shows a source; holds the pod's answers back until its log is requested. */
async function show({ cluster, clock }: World, argument: string, engine: EnginePlan = TAIL, held: Held = {}) {
  const { signal } = new AbortController();
  const { client, aborted } = heldBack(cluster, held);
  const source: SourcePlan = {
    sources: [argument],
    allContainers: false,
    nodes: [],
    regions: [],
    zones: [],
    os: [],
    arch: [],
  };
  const frames: Frame[] = [];
  const errors: string[] = [];
  const reading = async () => {
    const events = resolveSources(client, source, { follow: false, signal });
    const plan = { ...engine, guess: namedPod(source, 'default') };
    for await (const frame of readLogs({ client, clock, signal }, events, plan)) {
      frames.push(frame);
      if (frame.type === 'notice' && frame.code === 'source-failed') errors.push(frame.error.message);
    }
  };
  await drive(clock, reading());
  const bytes = frames.flatMap((frame) => (frame.type === 'bytes' ? [Buffer.from(frame.bytes)] : []));
  const shown = recordsOf(frames);
  return {
    texts: shown.map(({ message }) => Buffer.from(message).toString()),
    runs: new Set(shown.map((record) => record.run.key.containerId)),
    pods: new Set(shown.map((record) => record.run.target.podUid)),
    raw: Buffer.concat(bytes).toString(),
    queries: cluster.queries,
    aborted,
    errors,
  };
}

const lastTen = LINES.slice(-10).map(({ bytes }) => bytes.toString());

test('the log of a named pod is asked for before the pod is known, and once', async () => {
  for (const argument of ['web', 'pods/web', 'po/web/main']) {
    const { texts, queries } = await show(onePod(LINES), argument);
    expect(texts).toEqual(lastTen);
    expect(queries).toHaveLength(1);
  }
});

test('the bytes of a named pod are asked for before the pod is known, and once', async () => {
  const { raw, queries } = await show(onePod(LINES), 'web', { ...TAIL, raw: true });
  expect(raw).toBe(`${lastTen.join('\n')}\n`);
  expect(queries).toHaveLength(1);
});

test('of several containers the default one is read, by a second request', async () => {
  const world = onePod(LINES);
  world.cluster.addContainer(world.pod, 'sidecar');
  const { texts, queries } = await show(world, 'web');
  expect(texts).toEqual(lastTen);
  expect(queries.map(({ container }) => container)).toEqual([undefined, 'main']);
});

test('the container that the annotation names is read where the server knows none', async () => {
  const world = onePod(LINES);
  const other = world.cluster.addContainer(world.pod, 'other');
  world.cluster.write(other, line('of the other', 0));
  const annotations = { 'kubectl.kubernetes.io/default-container': 'other' };
  const change = (pod: KubeObject) => ({ ...pod, metadata: { ...pod.metadata, annotations } });
  const { texts } = await show(world, 'web', TAIL, { change });
  expect(texts).toEqual(['of the other']);
});

test('an answer for the only regular container is not used for an init container of the annotation', async () => {
  const world = onePod(LINES);
  const annotations = { 'kubectl.kubernetes.io/default-container': 'setup' };
  const change = (pod: KubeObject): KubeObject => {
    const { spec } = pod as { readonly spec?: object };
    const { status } = pod as { readonly status?: object };
    const terminated = {
      containerID: 'containerd://setup',
      exitCode: 0,
      reason: 'Completed',
      finishedAt: '2026-11-21T00:00:00Z',
    };
    const initContainerStatuses = [{ name: 'setup', restartCount: 0, state: { terminated } }];
    return {
      ...pod,
      metadata: { ...pod.metadata, annotations },
      spec: { ...spec, initContainers: [{ name: 'setup' }] },
      status: { ...status, initContainerStatuses },
    } as KubeObject;
  };
  const { texts, queries, aborted } = await show(world, 'web', TAIL, { change });
  expect(texts).toEqual([]);
  expect(queries[1]?.container).toBe('setup');
  expect(aborted[0]).toBe(queries[0]);
});

test('an answer is not used for a pod that got the name meanwhile', async () => {
  const world = onePod(LINES);
  const between = () => {
    if (world.cluster.pods.get('web') !== world.pod) return;
    world.cluster.deletePod(world.pod);
    const next = world.cluster.addPod('web', { uid: 'uid-next' });
    const container = world.cluster.addContainer(next, 'main', []);
    world.cluster.startRun(next, container, 'containerd://next');
    for (const entry of numbered(20, 1))
      world.cluster.write(container, { ...entry, bytes: Buffer.from('next') });
  };
  const { texts, pods } = await show(world, 'web', TAIL, { between });
  expect(texts).toEqual(Array.from({ length: 10 }, () => 'next'));
  expect(pods).toEqual(new Set(['uid-next']));
});

test('an answer of the run before a restart is not used for the present run', async () => {
  const world = onePod(LINES);
  let isStarted = false;
  const between = () => {
    if (isStarted) return;
    isStarted = true;
    world.cluster.startRun(world.pod, world.container, 'containerd://web-1');
    const { seconds } = line('', 3_600_000).at;
    for (let index = 0; index < 20; index++)
      world.cluster.write(world.container, { ...line('again', 0), at: { seconds, nanos: index } });
  };
  const { texts, runs } = await show(world, 'web', TAIL, { between });
  expect(texts).toEqual(Array.from({ length: 10 }, () => 'again'));
  expect(runs).toEqual(new Set(['containerd://web-1']));
});

test('requested bytes are not used as records, where an earlier run asks for those', async () => {
  const world = onePod(LINES);
  world.cluster.startRun(world.pod, world.container, 'containerd://web-1').startedAt = LINES[150]!.at;
  world.cluster.write(world.container, { ...line('again', 0), at: LINES.at(-1)!.at });
  const { texts, queries, aborted } = await show(world, 'web', { ...TAIL, raw: true });
  expect(texts.at(-1)).toBe('again');
  expect(texts).toHaveLength(10);
  expect(queries[0]?.timestamps).toBe(false);
  expect(aborted[0]).toBe(queries[0]);
});

test('notices a restart after the request for the pod although the log was requested earlier', async () => {
  const world = onePod(
    numbered(200, 0).map((entry) => ({ ...entry, at: { ...entry.at, seconds: entry.at.seconds + 3_590 } })),
  );
  let reads = 0;
  const between = () => {
    if (++reads === 2) world.cluster.startRun(world.pod, world.container, 'containerd://web-1');
  };
  const { runs } = await show(world, 'web', TAIL, { between });
  // The lines are less than a minute old, so the pod is fetched again, and its earlier run is recognized.
  expect(reads).toBeGreaterThan(1);
  expect(runs).toEqual(new Set(['containerd://web-0']));
});

test('the run before a restart comes too, where the lines of the present one are too few', async () => {
  const world = onePod(LINES);
  world.cluster.startRun(world.pod, world.container, 'containerd://web-1').startedAt = LINES[150]!.at;
  world.cluster.write(world.container, { ...line('again', 0), at: LINES.at(-1)!.at });
  const { texts } = await show(world, 'web');
  expect(texts).toHaveLength(10);
  expect(texts.at(-1)).toBe('again');
  expect(texts[0]).toBe('line 191');
});

test('reports a container that waits, or a pod without a node, as usual', async () => {
  const waiting = onePod([]);
  waiting.container.runs.length = 0;
  waiting.container.state = 'waiting';
  expect((await show(waiting, 'web')).queries.map(({ container }) => container)).toEqual([undefined, 'main']);
  const unscheduled = onePod(LINES);
  unscheduled.pod.scheduled = false;
  const { texts, queries } = await show(unscheduled, 'web');
  expect(texts).toEqual([]);
  expect(queries[1]?.container).toBe('main');
});

test('who may not get the pod, or names one that does not exist, sees no log', async () => {
  const refuse = new KubeError({ kind: 'forbidden', message: 'pods is forbidden', status: 403 });
  const refused = await show(onePod(LINES), 'web', TAIL, { refuse });
  expect(refused.texts).toEqual([]);
  expect(refused.errors).toHaveLength(1);
  expect(refused.queries).toHaveLength(1);
  expect(refused.aborted).toHaveLength(1);
  const absent = await show(onePod(LINES), 'wep');
  expect(absent.texts).toEqual([]);
  expect(absent.errors).toHaveLength(1);
});

test('nothing is guessed for several pods, for all of a log, or for parts of it', () => {
  const source = (settings: Partial<SourcePlan>): SourcePlan => ({
    sources: ['web'],
    allContainers: false,
    nodes: [],
    regions: [],
    zones: [],
    os: [],
    arch: [],
    ...settings,
  });
  const guessed = (settings: Partial<SourcePlan>) => namedPod(source(settings), 'default');
  expect(guessed({})).toEqual({ namespace: 'default', pod: 'web', container: undefined });
  expect(guessed({ sources: ['shop:pods/web/app'] })).toEqual({
    namespace: 'shop',
    pod: 'web',
    container: 'app',
  });
  for (const sources of [
    ['web', 'api'],
    ['deployments/web'],
    ['pods/web-*'],
    ['web*'],
    ['*:pods/web'],
    ['pods/web/*'],
  ])
    expect(guessed({ sources }), sources.join()).toBeUndefined();
  for (const settings of [
    { allContainers: true },
    { nodes: ['a'] },
    { zones: ['z'] },
    { selector: 'app=web' },
  ])
    expect(guessed(settings)).toBeUndefined();
});

test('all of a log, its head, and earlier lines are asked for when the pod is known', async () => {
  const to = { kind: 'inclusive', at: LINES[100]!.at } as const;
  for (const window of [
    { selection: { kind: 'all' } },
    { selection: { kind: 'head', count: 10 } },
    { selection: { kind: 'tail', count: 5_000 } },
    { selection: { kind: 'tail', count: 10 }, to },
    { selection: { kind: 'tail', count: 10 }, previous: 'only' },
  ] as const) {
    const world = onePod(LINES);
    const { signal } = new AbortController();
    const guess = { namespace: 'default', pod: 'web', container: undefined };
    const events = world.cluster.sources({ follow: false });
    const frames = readLogs({ client: world.cluster.client, clock: world.clock, signal }, events, {
      ...planOf(window),
      guess,
    });
    await drive(
      world.clock,
      (async () => {
        for await (const _ of frames);
      })(),
    );
    expect(world.cluster.queries.filter(({ container }) => container === undefined)).toEqual([]);
  }
});
