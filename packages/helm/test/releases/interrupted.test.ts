import type { Chart } from '@logtool/helm/src/chart/chart.ts';
import type { HelmFailures } from '@logtool/helm/src/failures.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { chartOf, TINY, valuesOf } from '../../../../test/support/helm/tiny-chart.ts';

let cluster: HelmCluster;
let plain: ReturnType<typeof actionsOn>;
beforeAll(async () => {
  cluster = await startHelmCluster();
  plain = actionsOn(cluster.client);
});
afterAll(() => cluster.close());
afterEach(() => cluster.sim.clearFaults());

const HOOK = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-hook
  annotations: {helm.sh/hook: "pre-install,pre-upgrade,pre-rollback,pre-delete"}
`;
const chart = chartOf({ ...TINY, 'templates/hook.yaml': HOOK });
/** No node is what its pod asks for: it is waited for in vain. */
const NEVER = `apiVersion: v1
kind: ReplicationController
metadata: {name: {{ .Release.Name }}-never}
spec: {replicas: 1, selector: {a: b}, template: {metadata: {labels: {a: b}}, spec: {nodeSelector: {no: node}, containers: [{name: main, image: tools}]}}}
`;
const stop = new Error('interrupted by the test');

/** A client that aborts while its call of that number is on its way, and counts its calls. */
function stopAt(client: KubeClient, at: number, abort: () => void) {
  let calls = 0;
  const counted = new Proxy(client, {
    get(target, name) {
      const held: unknown = Reflect.get(target, name);
      if (typeof held !== 'function' || name === 'close') return held;
      return (...args: unknown[]) => {
        const answer: unknown = held.apply(target, args);
        if (calls++ === at) abort();
        return answer;
      };
    },
  });
  return { client: counted, calls: () => calls };
}

type Actions = ReturnType<typeof actionsOn>;
const way = { preflight: false };
const COMMANDS: Readonly<Record<string, (on: Actions, name: string, what?: Chart) => Promise<unknown>>> = {
  install: (on, name, what = chart) => on.install(name, what, way),
  upgrade: (on, name, what = chart) => on.upgrade(name, what, { ...way, values: valuesOf('{extra: true}') }),
  rollback: (on, name) => on.rollback(name, { ...way, revision: 1 }),
  uninstall: (on, name) => on.uninstall(name, way),
};
const EARLIER: Readonly<Record<string, readonly string[]>> = {
  install: [],
  upgrade: ['install'],
  rollback: ['install', 'upgrade'],
  uninstall: ['install'],
};
const last = async (name: string) => (await plain.context.storage.history('default', name)).at(-1);

async function setUp(command: string, name: string, what = chart): Promise<void> {
  for (const earlier of EARLIER[command] ?? [])
    if (earlier === 'install') await plain.install(name, what, { ...way, wait: false });
    else await plain.upgrade(name, what, { ...way, wait: false });
}

const failureOf = (running: Promise<unknown>): Promise<unknown> =>
  running.then(
    () => undefined,
    (error: unknown) => error,
  );

/** What a stopped command failed with, undefined if it ended first, and the last revision that it left. */
interface Stopped {
  readonly failure: unknown;
  readonly left: Awaited<ReturnType<typeof last>>;
  readonly title: string;
}

async function stoppedBy(name: string, failure: unknown): Promise<Stopped> {
  const left = await last(name);
  const title = `${name}: ${String(failure)}; ${left?.version} ${left?.info.status}: ${left?.info.description}`;
  return { failure, left, title };
}

function expectOwnFailure({ failure, title }: Stopped): void {
  if (failure !== undefined)
    expect(failure instanceof CodedError ? failure.cause : failure, title).toBe(stop);
}

/** `before` is the last version before the command began. */
function expectTrueStatus({ failure, left, title }: Stopped, before: number): void {
  expect(left?.info.status ?? 'none', title).not.toMatch(/^pending/);
  if (left?.info.status === 'failed') expect(left.info.description, title).toContain('interrupted');
  else if (failure !== undefined && left !== undefined && left.info.status !== 'uninstalling')
    expect(left.version, title).toBe(before);
}

async function expectNextRunWorks(command: string, name: string, { left, title }: Stopped): Promise<void> {
  // An installation that had begun is finished by an upgrade.
  if (command === 'install' && left !== undefined) await plain.upgrade(name, chart, { ...way, wait: false });
  else if (command !== 'uninstall' || left !== undefined) await COMMANDS[command]?.(plain, name);
  if (command !== 'uninstall') expect((await last(name))?.info.status, title).toBe('deployed');
  else expect(await last(name), title).toBeUndefined();
}

describe.each(Object.keys(COMMANDS))('%s', (command) => {
  test('stopped while any of its calls is on its way leaves a true status, and the next run works', async () => {
    const run = COMMANDS[command] as (on: Actions, name: string) => Promise<unknown>;
    for (let at = 0; ; at++) {
      const name = `${command}-${at}`;
      await setUp(command, name);
      const before = (await last(name))?.version ?? 0;
      const controller = new AbortController();
      const stopping = stopAt(cluster.client, at, () => controller.abort(stop));
      const failure = await failureOf(run(actionsOn(stopping.client, { signal: controller.signal }), name));
      if (stopping.calls() <= at) {
        expect(failure).toBeUndefined();
        expect(at).toBeGreaterThan(8);
        break;
      }
      const stopped = await stoppedBy(name, failure);
      expectOwnFailure(stopped);
      expectTrueStatus(stopped, before);
      if (failure !== undefined) await expectNextRunWorks(command, name, stopped);
    }
  });

  test('stopped when a change was made and its answer has not come yet leaves a true status too', async () => {
    const run = COMMANDS[command] as (on: Actions, name: string) => Promise<unknown>;
    let lastFailure: unknown;
    for (let at = 0; ; at++) {
      const name = `${command}-change-${at}`;
      await setUp(command, name);
      const controller = new AbortController();
      let changes = 0;
      const unsubscribe = cluster.sim.store.subscribe('secrets', () => {
        if (changes++ === at) controller.abort(stop);
      });
      const on = actionsOn(cluster.client, { signal: controller.signal });
      const failure = await failureOf(run(on, name));
      unsubscribe();
      if (changes <= at) {
        expect(at).toBeGreaterThan(1);
        // What was done to the end is not called a failure.
        if (command !== 'uninstall') expect(lastFailure).toBeUndefined();
        break;
      }
      lastFailure = failure;
      const stopped = await stoppedBy(name, failure);
      expectOwnFailure(stopped);
      expect(stopped.left?.info.status ?? 'none', stopped.title).not.toMatch(/^pending|^uninstalling/);
    }
  });

  test('stopped while it waits says that it failed by being interrupted', async () => {
    const run = COMMANDS[command] as (on: Actions, name: string, what: Chart) => Promise<unknown>;
    const name = `${command}-waiting`;
    const slow = command === 'uninstall' ? chart : chartOf({ ...TINY, 'templates/never.yaml': NEVER });
    await setUp(command, name, slow);
    // Something that takes its time to go, until somebody lets it.
    const hold = (finalizers: string[]) =>
      cluster.sim.store.update('configmaps', 'default', `${name}-config`, (config) => {
        Object.assign(config.metadata, { finalizers });
        return undefined;
      });
    if (command === 'uninstall') hold(['example.org/hold']);
    const controller = new AbortController();
    const on = actionsOn(cluster.client, {
      signal: controller.signal,
      onProgress: (reported) => {
        if (reported.kind === 'waiting' && reported.progress.pending.length > 0) controller.abort(stop);
      },
    });
    await expect(run(on, name, slow).then(() => 'done')).rejects.toMatchObject({
      code: 'release-interrupted',
      cause: stop,
    });
    const left = await plain.context.storage.history('default', name);
    expect(left.at(-1)?.info).toMatchObject({
      status: 'failed',
      description: expect.stringMatching(/failed: interrupted$/),
    });
    if (command === 'upgrade') expect(left[0]?.info.status).toBe('deployed');
    hold([]);
  });
});

test('stopped with --atomic it takes nothing back, and says what would', async () => {
  const stopped = async (
    run: (on: Actions) => Promise<unknown>,
    data: HelmFailures['release-interrupted'],
  ) => {
    const controller = new AbortController();
    const on = actionsOn(cluster.client, {
      signal: controller.signal,
      onProgress: ({ kind }) => {
        if (kind === 'waiting') controller.abort(stop);
      },
    });
    await expect(run(on)).rejects.toEqual(helmFailed('release-interrupted', data));
  };
  const slow = chartOf({ ...TINY, 'templates/never.yaml': NEVER });
  const atomic = { ...way, atomic: true };
  await stopped((on) => on.install('whole', slow, atomic), {
    stage: 'recorded',
    action: { kind: 'installation', name: 'whole' },
    revision: 1,
    remedy: { kind: 'reinstall', release: { name: 'whole', namespace: 'default', chart: 'tiny' } },
  });
  expect(cluster.sim.store.get('configmaps', 'default', 'whole-config')).toBeDefined();
  expect((await plain.context.storage.history('default', 'whole')).map(({ info }) => info.status)).toEqual([
    'failed',
  ]);
  await plain.install('fine', chart, { ...way, wait: false });
  await stopped((on) => on.upgrade('fine', slow, atomic), {
    stage: 'recorded',
    action: { kind: 'upgrade', name: 'fine' },
    revision: 2,
    remedy: {
      kind: 'rollback',
      release: { name: 'fine', namespace: 'default', chart: 'tiny' },
      revision: 1,
    },
  });
  expect((await plain.context.storage.history('default', 'fine')).map(({ info }) => info.status)).toEqual([
    'deployed',
    'failed',
  ]);
});
