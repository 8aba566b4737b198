import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { apiVersionOf, resourcesOf } from '../api/resources.ts';
import { type Behaviours, createBehaviours } from '../controllers/behaviours.ts';
import { type Cluster, createObject } from '../controllers/cluster.ts';
import { HistoryClock } from '../controllers/history-clock.ts';
import { type Kubelets, startKubelets } from '../controllers/kubelets.ts';
import { timeText } from '../controllers/objects.ts';
import type { OwnKind } from '../controllers/own-kinds.ts';
import { createRegistries } from '../controllers/registries.ts';
import { withServiceDefaults } from '../controllers/service-defaults.ts';
import { startControllers } from '../controllers/start-controllers.ts';
import { createWorkQueue } from '../controllers/work-queue.ts';
import { type Random, seededRandom } from '../generator/random.ts';
import { createRuntime, type SimulatedRuntime } from '../kubelet/create-runtime.ts';
import type { Store } from '../store.ts';
import { createStore } from '../store-memory.ts';
import { accessObjects } from './access-objects.ts';
import { durationMs } from './duration.ts';
import { nodeObject } from './node-objects.ts';
import { playEvent } from './play-event.ts';
import type { Scenario, ScenarioWorkload } from './schema.ts';
import { zoneMinutes } from './time-zone.ts';
import type { TimelineEvent } from './timeline-schema.ts';
import { definitionObject, type NewObject, workloadObjects, workloadResource } from './workload-objects.ts';

export interface SimulationOptions {
  readonly scenario: Scenario;
  readonly clock: Clock;
  readonly seed: number;
  /** Where the nodes' log files go. */
  readonly logDirectory: string;
  report(error: unknown): void;
}

/** A scenario come to life: everything of a cluster but its API server. */
export interface Simulation {
  readonly store: Store;
  readonly clock: HistoryClock;
  readonly runtime: SimulatedRuntime;
  readonly kubelets: Kubelets;
  readonly behaviours: Behaviours;
  readonly cluster: Cluster;
  readonly defaultNamespace: string;
  /** Plays one event now. Throws a LogtoolError when it names something that does not exist. */
  act(event: TimelineEvent): void;
  close(): Promise<void>;
}

/** Builds the cluster of a scenario and lives through its history; resolves at the moment serving may start. */
export async function startSimulation(options: SimulationOptions): Promise<Simulation> {
  const { scenario, seed, logDirectory } = options;
  const clock = new HistoryClock(options.clock, durationMs(scenario.backfill));
  const random = (...path: readonly (string | number)[]): Random => seededRandom(seed, ...path);
  const uids = random('uid-of-api');
  const store = createStore({ clock, newUid: () => uids.uuid() });
  const queue = createWorkQueue(options.report);
  const cluster: Cluster = {
    store,
    clock,
    queue,
    random,
    realDelays: scenario.startDelays === 'real',
    report: options.report,
  };
  const runtime = createRuntime({ directory: logDirectory, clock, seed, rotation: rotationOf(scenario) });
  const behaviours = createBehaviours(store);
  const skews = new Map(
    scenario.nodes.map((n) => [n.name, n.clockSkew === undefined ? 0 : durationMs(n.clockSkew)]),
  );
  for (const node of scenario.nodes) runtime.setTimeZone(node.name, zoneMinutes(node.timeZone, clock.now()));

  startControllers(cluster, ownKinds(scenario));
  const kubelets = startKubelets(cluster, {
    runtime,
    behaviours,
    registries: createRegistries(scenario.registries),
    skewMsOf: (node) => skews.get(node) ?? 0,
  });
  const defaultNamespace = scenario.namespace ?? scenario.namespaces[0] ?? 'default';
  const simulation: Simulation = {
    store,
    clock,
    runtime,
    kubelets,
    behaviours,
    cluster,
    defaultNamespace,
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
  for (const workload of scenario.workloads) {
    const begin = () => createWorkload(simulation, workload);
    const atMs = workload.at === undefined ? clock.now() : clock.startMs + durationMs(workload.at);
    if (atMs <= clock.now()) begin();
    else clock.after(atMs - clock.now(), guarded(options.report, begin));
  }
  for (const event of scenario.timeline) {
    const atMs = clock.startMs + durationMs(event.at ?? '0s');
    clock.after(
      atMs - clock.now(),
      guarded(options.report, () => playEvent(simulation, event)),
    );
  }
  await clock.playHistory(() => queue.drain());
  queue.drain();
  await kubelets.goLive();
  queue.drain();
  return simulation;
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

/** Nodes, namespaces, users' roles, definitions of own kinds, and the objects that the scenario spells out. */
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
    create({ resource: 'nodes', object: nodeObject(node, index, created) });
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
  const { cluster, behaviours } = simulation;
  const namespace = workload.namespace ?? simulation.defaultNamespace;
  behaviours.set(namespace, workload.kind, workload.name, workload.containers);
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
