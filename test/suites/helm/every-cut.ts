import type { ChartActionContext } from '@logtool/helm/src/actions/action.ts';
import { install } from '@logtool/helm/src/actions/install.ts';
import { rollback } from '@logtool/helm/src/actions/rollback.ts';
import { uninstall } from '@logtool/helm/src/actions/uninstall.ts';
import { upgrade } from '@logtool/helm/src/actions/upgrade.ts';
import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import { CHARTS_IN_PROCESS } from '@logtool/helm/src/render/charts-in-process.ts';
import { CONFIG_MAPS, DEPLOYMENTS, SECRETS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { LogtoolError } from '@logtool/logtool/src/cli/messages/logtool-error.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type HelmCluster, quickClock, startHelmCluster } from '../../support/helm/cluster.ts';
import { chartOf, hook, TINY, valuesOf } from '../../support/helm/tiny-chart.ts';
import { withMessage } from '../../support/with-message.ts';

const NAMESPACE = 'default';
let cluster: HelmCluster;
let context: ChartActionContext;
/** Once the cluster is away for good, every wait times out at once. */
let isAway = () => false;
const clock: Clock = {
  ...quickClock,
  now: () => quickClock.now() + (isAway() ? 3_600_000 : 0),
  after: (delayMs, callback) => quickClock.after(isAway() ? 0 : delayMs, callback),
};

const chart = chartOf({ ...TINY, ...hook('pre-install,pre-upgrade,pre-rollback,pre-delete') });
/** Preflight is part of the interrupted command, but not of commands that only set up or clean up. */
let preflight = false;
const of = (name: string) => ({ name, namespace: NAMESPACE, wait: preflight, timeoutMs: 3_000, preflight });

/** Every command. `version` returns the ConfigMap's content after the command. */
const COMMANDS: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
  install: (name) =>
    install(context, {
      ...of(name),
      chart,
      values: valuesOf('{message: one}'),
      createNamespace: false,
      atomic: false,
      dryRun: false,
    }),
  upgrade: (name) =>
    upgrade(context, {
      ...of(name),
      chart,
      values: valuesOf('{message: two, extra: true}'),
      atomic: false,
      dryRun: false,
    }),
  rollback: (name) => rollback(context, of(name)),
  uninstall: (name) => uninstall(context, { ...of(name), keepHistory: false }),
};

const run = (command: string, name: string) =>
  COMMANDS[command]?.(name) ?? Promise.reject(new Error(command));

/** Runs the command like a user, with its preflight and its waiting. */
async function runWhole(command: string, name: string): Promise<void> {
  preflight = true;
  try {
    await run(command, name);
  } finally {
    preflight = false;
  }
}

/** Returns the command's failure as users see it; undefined: success. */
async function failureOf(command: string, name: string): Promise<LogtoolError | undefined> {
  try {
    await runWhole(command, name);
    return undefined;
  } catch (error) {
    return withMessage(describeKubeError(error, cluster.client.cluster));
  }
}

async function objectsOf(name: string): Promise<string[]> {
  const found: string[] = [];
  for (const type of [CONFIG_MAPS, DEPLOYMENTS, SECRETS])
    for await (const { items } of cluster.client.list<KubeObject>(type, { namespace: NAMESPACE }))
      found.push(
        ...items
          .map(({ metadata }) => metadata.name)
          .filter(
            (object) => object.startsWith(`${name}-`) || object.startsWith(`sh.helm.release.v1.${name}.`),
          ),
      );
  return found.sort();
}

/** Returns the state, to detect changes other than controllers' later reports. */
function stateOf(name: string): string {
  return ['secrets', 'configmaps', 'deployments.apps', 'jobs.batch']
    .flatMap((resource) => cluster.sim.store.list(resource, NAMESPACE))
    .filter(({ metadata }) => metadata.name?.includes(name))
    .map(({ kind, metadata }) => [
      kind,
      metadata.name,
      metadata.uid,
      metadata.generation ?? metadata.resourceVersion,
    ])
    .join('\n');
}

/** Follows the advice of each failure until the command succeeds; returns the commands it took. */
async function follow(command: string, name: string): Promise<readonly string[]> {
  const steps: string[] = [];
  for (let tries = 0; tries < 4; tries++) {
    steps.push(command);
    const failure = await failureOf(command, name);
    if (failure === undefined) return steps;
    // The command had already succeeded; only the answer was lost.
    if (command === 'install' && failure.code === 'release-exists' && /is deployed/.test(failure.why ?? ''))
      return steps;
    if (command === 'uninstall' && failure.code === 'release-not-found') return steps;
    const [, repair = ''] = /logtool cluster (\w+)/.exec(failure.next ?? '') ?? [];
    expect(Object.keys(COMMANDS), `what ${failure.what} says to do: ${failure.next}`).toContain(repair);
    steps.push(repair);
    await run(repair, name);
    // Continuing where it stopped completes the command; uninstalling and rolling back require another try.
    if (repair === 'upgrade' || repair === command) return steps;
  }
  throw new Error(`${command} cannot be brought to its end: ${steps.join(', ')}`);
}

const BEFORE: Readonly<Record<string, readonly string[]>> = {
  install: [],
  upgrade: ['install'],
  rollback: ['install', 'upgrade'],
  uninstall: ['install'],
};

async function prepare(command: string, release: string): Promise<void> {
  for (const earlier of BEFORE[command] ?? []) await run(earlier, release);
}

/** Runs a command without a cut; returns the number of its calls. */
async function callsOf(command: string): Promise<number> {
  const release = `${command}-0`;
  await prepare(command, release);
  const first = cluster.sim.faultsHit;
  cluster.sim.inject({ kind: 'delay', delayMs: 0 });
  await runWhole(command, release);
  const calls = cluster.sim.faultsHit - first;
  cluster.sim.clearFaults();
  if (command !== 'uninstall') await run('uninstall', release);
  return calls;
}

/** Runs a command whose calls fail from the given one on; returns its failure. */
async function failureOfCut(
  command: string,
  release: string,
  { kind, cut }: { readonly kind: 'once' | 'ever'; readonly cut: number },
): Promise<LogtoolError | undefined> {
  const hits = cluster.sim.faultsHit;
  cluster.sim.inject({ kind: 'reset', skip: cut, ...(kind === 'once' ? { times: 1 } : {}) });
  if (kind === 'ever') isAway = () => cluster.sim.faultsHit > hits;
  const failure = await failureOf(command, release);
  isAway = () => false;
  cluster.sim.clearFaults();
  return failure;
}

/** Checks that the failure names the last recorded status, unless only the answer was lost. */
async function checkUnrecorded(release: string, failure: LogtoolError): Promise<void> {
  const status = (await context.storage.history(NAMESPACE, release)).at(-1)?.info.status;
  if (status !== 'deployed' && status !== 'failed') expect(failure.what).toContain(`may still say ${status}`);
}

/** Follows the advice of a failure, and checks that the release then is as after the command, or after its removal. */
async function checkRepair(
  command: string,
  release: string,
  failure: LogtoolError | undefined,
  where: string,
): Promise<void> {
  if (failure !== undefined) expect(failure).toBeInstanceOf(LogtoolError);
  if (failure?.code === 'release-unrecorded') await checkUnrecorded(release, failure);
  const steps = failure === undefined ? [] : await follow(command, release);
  const title = `${where}: ${failure?.what}; then ${steps.join(', ')}`;
  const objects = await objectsOf(release);
  if (command === 'uninstall') return expect(objects, title).toEqual([`${release}-kept`]);
  expect(objects, title).toEqual(
    expect.arrayContaining([`${release}-config`, `${release}-kept`, `${release}-web`]),
  );
  await run('uninstall', release);
  expect(await objectsOf(release), title).toEqual([`${release}-kept`]);
}

/** Cuts each call of a command in turn. */
async function cutEach(command: string, kind: 'once' | 'ever'): Promise<void> {
  const calls = await callsOf(command);
  expect(calls).toBeGreaterThan(10);
  // A command cut before it changes anything needs no new release.
  let untouched: string | undefined;
  const codes = new Set<string | undefined>();
  for (let cut = 0; cut < calls; cut++) {
    const release = untouched ?? `${command}-${cut + 1}`;
    if (untouched === undefined) await prepare(command, release);
    const before = stateOf(release);
    const failure = await failureOfCut(command, release, { kind, cut });
    untouched = stateOf(release) === before ? release : undefined;
    if (untouched !== undefined) {
      expect(failure, `cut at call ${cut} of ${calls}, nothing was done`).toBeInstanceOf(LogtoolError);
      if (cut < calls - 1) continue;
    }
    codes.add(failure?.code);
    await checkRepair(command, release, failure, `cut at call ${cut} of ${calls}`);
  }
  if (kind === 'ever') expect([...codes]).toContain('release-unrecorded');
}

/**
 * Defines the tests for one way in which calls fail: `once`, and the next succeeds; `ever`, and all later
 * ones fail. Each has its own file, because every call of every command is cut in turn.
 */
export function describeCuts(kind: 'once' | 'ever'): void {
  beforeAll(async () => {
    cluster = await startHelmCluster(undefined, { ...quickClock, after: clock.after });
    const { client } = cluster;
    context = { client, clock, charts: CHARTS_IN_PROCESS, storage: clusterStorage(client, quickClock) };
  });
  afterAll(() => cluster.close());
  afterEach(() => cluster.sim.clearFaults());
  const what = kind === 'once' ? 'the answer of one call is lost' : 'nothing goes through after a call';
  test.each(Object.keys(COMMANDS))(
    `%s: when ${what}, whichever call it is, the next run repairs it or says how`,
    (command) => cutEach(command, kind),
    120_000,
  );
}
