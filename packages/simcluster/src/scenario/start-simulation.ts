import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { apiVersionOf, resourcesOf } from '../api/discovery/resources.ts';
import { type Cluster, createObject } from '../controllers/cluster.ts';
import { HistoryClock } from '../controllers/history-clock.ts';
import { timeText } from '../controllers/objects.ts';
import { createBehaviors } from '../controllers/pods/behaviors.ts';
import { startKubelets } from '../controllers/pods/kubelets.ts';
import { createRegistries } from '../controllers/pods/registries.ts';
import { withServiceDefaults } from '../controllers/services/service-defaults.ts';
import { startControllers } from '../controllers/start-controllers.ts';
import { createWorkQueue } from '../controllers/work-queue.ts';
import type { OwnKind } from '../controllers/workloads/own-kinds.ts';
import { type Random, seededRandom } from '../generator/random.ts';
import { SimulatedRuntime } from '../kubelet/simulated-runtime.ts';
import { createStore } from '../store/memory-store.ts';
import { accessObjects } from './access-objects.ts';
import { durationMs } from './duration.ts';
import { nodeObject } from './node-objects.ts';
import { playEvent } from './play-event.ts';
import type { Scenario, ScenarioWorkload } from './schema.ts';
import type { Simulation } from './simulation.ts';
import { definitionObject, type NewObject, workloadObjects, workloadResource } from './workload-objects.ts';

export interface SimulationOptions {
  readonly scenario: Scenario;
  readonly clock: Clock;
  readonly seed: number;
  /** The folder for the nodes' log files. */
  readonly logDirectory: string;
  report(error: unknown): void;
}

/** Builds the cluster of a scenario and plays its history; resolves when serving may start. */
export async function startSimulation(options: SimulationOptions): Promise<Simulation> {
  const { scenario, seed, logDirectory } = options;
  const cluster = createCluster(options);
  const { store, clock, queue } = cluster;
  const runtime = new SimulatedRuntime({
    directory: logDirectory,
    clock,
    seed,
    rotation: rotationOf(scenario),
  });
  for (const node of scenario.nodes) {
    runtime.setTimeZone(node.name, zoneMinutes(node.timeZone, clock.now()));
    if (!node.enableSystemLogHandler) runtime.disableLogHandler(node.name);
  }
  startControllers(cluster, ownKinds(scenario));
  const behaviors = createBehaviors(store);
  const registries = createRegistries(scenario.registries);
  const { volumes: volumeFaults, networks: networkFaults } = scenario;
  const faults = { volumeFaults, networkFaults };
  const kubelets = startKubelets(cluster, { runtime, behaviors, registries, ...faults });
  const simulation: Simulation = {
    store,
    clock,
    runtime,
    kubelets,
    behaviors,
    cluster,
    defaultNamespace: scenario.namespace ?? scenario.namespaces[0] ?? 'default',
    act(event) {
      queue.drain();
      playEvent(simulation, event);
      queue.drain();
    },

    async close() {
      clock.close();
      queue.close();
      await runtime.close();
    },
  };
  createFoundations(cluster, scenario);
  schedule(simulation, scenario, options.report);
  await clock.playHistory(() => queue.drain());
  queue.drain();
  await kubelets.goLive();
  queue.drain();
  return simulation;
}

function createCluster({ scenario, seed, clock: realClock, report }: SimulationOptions): Cluster {
  const clock = new HistoryClock(realClock, durationMs(scenario.backfill));
  const random = (...path: readonly (string | number)[]): Random => seededRandom(seed, ...path);
  const uids = random('uid-of-api');
  return {
    store: createStore({ clock, newUid: () => uids.uuid() }),
    clock,
    queue: createWorkQueue(report),
    random,
    realDelays: scenario.startDelays === 'real',
    skewMsOf: skewsOf(scenario),
    staleGroups: new Set(),
    report,
  };
}

/** Returns a function for how far a node's clock is ahead, ms. */
function skewsOf({ nodes }: Scenario): (node: string) => number {
  const skews = new Map(
    nodes.map(({ name, clockSkew }) => [name, clockSkew === undefined ? 0 : durationMs(clockSkew)]),
  );
  return (node) => skews.get(node) ?? 0;
}

/** Schedules workloads and events at their times; a workload without a time starts at once. */
function schedule(simulation: Simulation, scenario: Scenario, report: (error: unknown) => void): void {
  const { clock } = simulation;
  for (const workload of scenario.workloads) {
    const begin = () => createWorkload(simulation, workload);
    const atMs = workload.at === undefined ? clock.now() : clock.startMs + durationMs(workload.at);
    if (atMs <= clock.now()) begin();
    else clock.after(atMs - clock.now(), guarded(report, begin));
  }
  for (const event of scenario.timeline) {
    const atMs = clock.startMs + durationMs(event.at ?? '0s');
    clock.after(
      atMs - clock.now(),
      guarded(report, () => playEvent(simulation, event)),
    );
  }
}

function rotationOf(scenario: Scenario) {
  return {
    ...(scenario.logMaxBytes === undefined ? {} : { maxBytes: scenario.logMaxBytes }),
    ...(scenario.logMaxFiles === undefined ? {} : { maxFiles: scenario.logMaxFiles }),
  };
}

function ownKinds(scenario: Scenario): readonly OwnKind[] {
  const kinds = scenario.workloads
    .filter((workload) => definitionObject(workload) !== undefined)
    .map((workload) => ({ resource: workloadResource(workload), kind: workload.kind, owns: workload.owns }));
  return [...new Map(kinds.map((kind) => [kind.resource, kind])).values()];
}

/**
 * Creates nodes, namespaces, the users' roles, definitions of custom kinds, and the objects written in the scenario.
 */
function createFoundations(cluster: Cluster, scenario: Scenario): void {
  const created = timeText(cluster.clock.now());
  const namespaces = new Set([
    'default',
    'kube-system',
    'kube-public',
    'kube-node-lease',
    ...scenario.namespaces,
  ]);
  const create = ({ resource, object }: NewObject) => createObject(cluster, resource, object);
  for (const name of namespaces) {
    const labels = { 'kubernetes.io/metadata.name': name };
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
    create({
      resource: 'namespaces',
      object: { ...object, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
    });
  }
  for (const [index, node] of scenario.nodes.entries()) {
    const heartbeat = timeText(cluster.clock.now() + cluster.skewMsOf(node.name));
    create({ resource: 'nodes', object: nodeObject(node, index, created, heartbeat) });
  }
  for (const object of accessObjects(scenario.users)) create(object);
  for (const workload of scenario.workloads) {
    const definition = definitionObject(workload);
    if (definition !== undefined) create(definition);
  }
  for (const object of scenario.objects) createGiven(cluster, object);
}

function createGiven(cluster: Cluster, object: Record<string, unknown>): void {
  const {
    kind,
    apiVersion = 'v1',
    metadata,
  } = object as {
    kind?: string;
    apiVersion?: string;
    metadata?: { name?: string; namespace?: string };
  };
  if (kind === undefined || metadata?.name === undefined)
    throw new Error('an object of the scenario has no kind or name');
  const served = resourcesOf(cluster.store).find(
    (type) => type.kind === kind && apiVersionOf(type) === apiVersion,
  );
  const resource = served?.storedAs ?? workloadResource({ kind, apiVersion, plural: undefined });
  createObject(cluster, resource, { ...object, apiVersion, metadata: { ...metadata, name: metadata.name } });
}

function createWorkload(simulation: Simulation, workload: ScenarioWorkload): void {
  const { cluster, behaviors } = simulation;
  const namespace = workload.namespace ?? simulation.defaultNamespace;
  behaviors.set(namespace, workload.kind, workload.name, workload.containers);
  for (const { resource, object } of workloadObjects(workload, namespace)) {
    const isService = resource === 'services';
    const spec = isService
      ? withServiceDefaults(cluster.store, (object.spec ?? {}) as Record<string, unknown>)
      : object.spec;
    createObject(cluster, resource, spec === undefined ? object : { ...object, spec });
  }
}

function guarded(report: (error: unknown) => void, act: () => void): () => void {
  return () => {
    try {
      act();
    } catch (error) {
      report(error);
    }
  };
}

/**
 * Returns how many minutes an IANA time zone is east of UTC at a given time. Throws a RangeError for an unknown zone.
 */
function zoneMinutes(timeZone: string, atMs: number): number {
  if (timeZone === 'UTC') return 0;
  const fields = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(atMs));
  const field = (type: string) => Number(fields.find((entry) => entry.type === type)?.value);
  const local = Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
  );
  return Math.round((local - Math.floor(atMs / 1000) * 1000) / 60_000);
}
