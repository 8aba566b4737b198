import { DEPLOYMENTS, JOBS, PODS, SERVICES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ReflectorEvent, ResourceType } from '@logtool/kube/src/client.ts';
import type { ContainerTarget, Placement } from '../../domain/container.ts';
import { globMatches } from '../../domain/glob.ts';
import type { ResolveContext } from '../context.ts';
import { emptyTally, type Tally, tallyChosen, tallyLeftOut } from '../explain/tally.ts';
import type { Observation } from '../observe/observe.ts';
import { observeAloud } from '../observe/observe-reporting.ts';
import { Turns } from '../observe/turns.ts';
import { needsNodes, passesFilters } from '../placement/placement-filters.ts';
import { resolvePlacement } from '../placement/resolve-placement.ts';
import { Unplaced } from '../placement/unplaced.ts';
import { chooseTargets, givenBy, isInState } from '../pods/choose-containers.ts';
import { isOver } from '../pods/container-facts.ts';
import { type PodFacts, readPod } from '../pods/pod-facts.ts';
import { slimPodWithHistory } from '../pods/slim-pod.ts';
import { selectorText } from '../sources/label-selector.ts';
import type { SourceGroup } from '../sources/source-group.ts';
import { belongsToRoots, isMeant } from './belongs.ts';
import { Orphans } from './orphans.ts';
import { betweenOf, isType, type Root, readRoot } from './roots.ts';

interface TrackerOptions {
  readonly group: SourceGroup;
  readonly type: ResourceType;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
  /** Called once, when all existing objects are known. Throwing ends the tracker. */
  readonly onSynced: (tally: Tally) => Promise<void>;
  /** Reports whether more pods may come. Called after the first read and at each change. */
  readonly onOpen: (open: boolean) => void;
}

/**
 * Keeps the containers of one source in one namespace (or in all of them) up to date. Objects and pods may arrive in
 * any order, so every change of the roots checks all pods again.
 */
export class SourceTracker {
  readonly #context: ResolveContext;
  readonly #options: TrackerOptions;
  readonly #roots = new Map<string, Root>();
  #pods = new Map<string, PodFacts>();
  /** The same pods as they were read. Kept only while a caller asks for them. */
  readonly #objects = new Map<string, KubeObject>();
  readonly #orphans = new Orphans();
  readonly #unplaced: Unplaced;
  #tally: Tally;
  #synced = false;
  readonly #awaited: Set<'roots' | 'pods'>;
  readonly #turns: Turns;
  /** The UID that a named pod had first. Another pod with that name does not count. */
  #pinned: string | undefined;
  #rootGone = false;

  constructor(context: ResolveContext, options: TrackerOptions) {
    this.#context = context;
    this.#options = options;
    const { clock, follow } = context;
    this.#turns = new Turns(clock, options.signal, () => follow && this.#synced);
    this.#tally = emptyTally(options.group.specs.length);
    this.#unplaced = new Unplaced(context);
    this.#awaited = new Set(isType(options.type, PODS) ? ['pods'] : ['roots', 'pods']);
  }

  /** Ends after the first read, or with `follow` when the signal is aborted. Throws what ends the source. */
  async run(): Promise<void> {
    const { type, namespace, group } = this.#options;
    const { name } = group.specs[0];
    if (isType(type, PODS)) {
      const named = name.literal ? { name: name.text } : {};
      // A get takes no selector, so a single object is filtered on this side.
      const labelSelector = name.literal ? undefined : this.#labelSelector(undefined);
      await this.#watchPods({ type: PODS, namespace, ...named, labelSelector }, this.#options.signal);
      return;
    }
    if (name.literal && (namespace !== undefined || !type.namespaced)) await this.#trackOne(name.text);
    else await this.#trackMany(name.literal ? name.text : undefined);
  }

  /** Releases everything. */
  release(): void {
    for (const uid of this.#context.targets.podsOf(this)) this.#context.targets.drop(this, uid);
  }

  /** Tracks one object by its name. Its selector narrows the request for pods, and may change. */
  async #trackOne(name: string): Promise<void> {
    const { type, namespace, signal } = this.#options;
    const failure = new AbortController();
    const whole = AbortSignal.any([signal, failure.signal]);
    const scope = type.namespaced ? namespace : undefined;
    // The loop over roots does not wait for the pods, so a failure there has to end it.
    const pods = new PodWatches(() => failure.abort());
    try {
      for await (const event of observeAloud(this.#context, { type, namespace: scope, name }, whole)) {
        const object = rootOf(event);
        await this.#turns.take(() =>
          object === undefined
            ? this.#loseRoot(event.type === 'snapshot')
            : this.#takeRoot(object, pods, whole),
        );
      }
    } finally {
      // The error of the pods takes precedence over the abort that it caused.
      await pods.ended;
    }
  }

  /** Handles a named object that does not exist, or no longer exists. */
  async #loseRoot(isFirst: boolean): Promise<void> {
    this.#rootGone = true;
    if (isFirst) await this.#noteRoots();
    this.#reportOpen();
  }

  async #takeRoot(object: KubeObject, pods: PodWatches, whole: AbortSignal): Promise<void> {
    const { type, namespace } = this.#options;
    const root = readRoot(type, object);
    this.#context.onObject?.({ type, object, isGone: false });
    const known = this.#roots.has(root.uid);
    if (isType(type, SERVICES)) this.#roots.clear();
    this.#roots.set(root.uid, root);
    this.#rootGone = false;
    if (!known) await this.#noteRoots();
    this.#reportOpen();
    const labelSelector = this.#labelSelector(root);
    const isAhead = isType(type, DEPLOYMENTS) && root.selector !== undefined && !this.#synced;
    pods.watch(labelSelector, whole, (signal) => {
      if (isAhead) this.#context.owners.readAhead(namespace, selectorText(root.selector ?? []));
      return this.#watchPods({ type: PODS, namespace, labelSelector }, signal);
    });
  }

  /**
   * Tracks all objects of the kind whose name matches, and watches the pods of the whole namespace. If one read is
   * enough and the name is exact, reads the objects first, and their selector narrows the request for pods if they
   * share one.
   */
  async #trackMany(name: string | undefined): Promise<void> {
    const inTurn = name !== undefined && !this.#context.follow;
    const { type, namespace, signal } = this.#options;
    const failure = new AbortController();
    const whole = AbortSignal.any([signal, failure.signal]);
    const roots = async () => {
      const scope = type.namespaced ? namespace : undefined;
      const isWhole = isType(type, SERVICES) || inTurn || this.#context.onObject !== undefined;
      const observation = { type, namespace: scope, name, metadataOnly: !isWhole };
      for await (const event of observeAloud(this.#context, observation, whole))
        await this.#turns.take(() => this.#takeRoots(event));
    };
    const pods = (labelSelector = this.#labelSelector(undefined)) =>
      this.#watchPods({ type: PODS, namespace, labelSelector }, whole);
    if (inTurn) {
      await roots();
      const selectors = new Set([...this.#roots.values()].map((root) => this.#labelSelector(root)));
      if (selectors.size > 0) await pods(selectors.size === 1 ? [...selectors][0] : undefined);
      return;
    }
    const end = (error: unknown) => {
      failure.abort();
      throw error;
    };
    await Promise.all([roots().catch(end), pods().catch(end)]);
  }

  async #takeRoots(event: ReflectorEvent<KubeObject>): Promise<void> {
    const { type, group } = this.#options;
    const { name } = group.specs[0];
    const isService = isType(type, SERVICES);
    let change = false;
    const take = (object: KubeObject) => {
      if (!globMatches(name, object.metadata.name)) return;
      const root = readRoot(type, object);
      this.#context.onObject?.({ type, object, isGone: false });
      change ||= isService || !this.#roots.has(root.uid);
      this.#roots.set(root.uid, root);
    };
    if (event.type === 'snapshot') {
      // Pods of a deleted owner report their own deletion. Pods of a deleted Service stay.
      if (isService) this.#roots.clear();
      event.objects.forEach(take);
      change = true;
    } else if (event.type === 'changed') {
      take(event.object);
    } else if (event.type === 'deleted' && isService) {
      change = this.#roots.delete(event.object.metadata.uid);
    } else event.type satisfies 'deleted' | 'state';
    if (event.type === 'snapshot') await this.#noteRoots();
    else if (change && this.#synced) await this.#inspectAll();
  }

  async #noteRoots(): Promise<void> {
    const { type, group, namespace } = this.#options;
    const isOne = namespace !== undefined || !type.namespaced;
    // Without the named root, there is no request for pods to wait for.
    if (this.#roots.size === 0 && group.specs[0].name.literal && (isOne || !this.#context.follow))
      this.#awaited.delete('pods');
    this.#awaited.delete('roots');
    await this.#inspectAll();
  }

  async #watchPods(observation: Observation, signal: AbortSignal): Promise<void> {
    try {
      for await (const event of observeAloud(this.#context, observation, signal)) {
        if (signal.aborted) return;
        await this.#turns.take(() => this.#takePods(event));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #takePods(event: ReflectorEvent<KubeObject>): Promise<void> {
    if (event.type === 'snapshot') {
      this.#replacePods(event.objects);
      await this.#inspectAll();
    } else if (event.type === 'changed') {
      const pod = this.#readPod(event.object);
      this.#pods.set(pod.uid, pod);
      if (this.#synced) await this.#fetched(pod);
    } else if (event.type === 'deleted') {
      await this.#losePod(event.object);
    } else event.type satisfies 'state';
    this.#reportOpen();
  }

  #replacePods(objects: readonly KubeObject[]): void {
    const { targets } = this.#context;
    const pods = objects.map((object) => this.#readPod(object));
    this.#pods = new Map(pods.map((pod) => [pod.uid, pod]));
    for (const uid of targets.podsOf(this)) if (!this.#pods.has(uid)) targets.drop(this, uid);
    this.#orphans.retain(this.#pods);
    for (const uid of this.#objects.keys()) if (!this.#pods.has(uid)) this.#objects.delete(uid);
    this.#awaited.delete('pods');
  }

  async #losePod(object: KubeObject): Promise<void> {
    const { targets, onObject } = this.#context;
    const pod = readPod(object);
    this.#pods.delete(pod.uid);
    this.#objects.delete(pod.uid);
    this.#orphans.forget(pod.uid);
    if (!targets.holds(this, pod.uid)) return;
    onObject?.({ type: PODS, object: slimPodWithHistory(object), isGone: true });
    targets.drop(this, pod.uid, this.#targetsOf(pod, await resolvePlacement(this.#context, pod)));
  }

  #readPod(object: KubeObject): PodFacts {
    const pod = readPod(object);
    if (this.#context.onObject !== undefined) this.#objects.set(pod.uid, slimPodWithHistory(object));
    return pod;
  }

  async #inspectAll(): Promise<void> {
    if (this.#awaited.size > 0) return;
    const { owners, nodes, plan } = this.#context;
    const { type, group, namespace, onSynced } = this.#options;
    const pods = [...this.#pods.values()];
    if (!isType(type, PODS) && !isType(type, SERVICES)) await owners.learn(pods, namespace, betweenOf(type));
    const belonging: PodFacts[] = [];
    for (const pod of pods) if (await this.#belongs(pod)) belonging.push(pod);
    if (needsNodes(plan)) await nodes.learn(belonging.flatMap((pod) => pod.node ?? []));
    this.#tally = emptyTally(group.specs.length);
    this.#tally.roots = this.#roots.size;
    for (const root of this.#roots.values()) if (root.scaledToZero) this.#tally.scaledToZero++;
    for (const pod of pods) await this.#fetched(pod);
    this.#unplaced.report();
    if (this.#synced) return;
    this.#synced = true;
    this.#reportOpen();
    await onSynced(this.#tally);
  }

  async #fetched(pod: PodFacts): Promise<void> {
    const { targets, plan } = this.#context;
    const tally = this.#tally;
    if (!(await this.#belongs(pod))) return targets.put(this, pod.uid, []);
    tally.pods++;
    const placement = await resolvePlacement(this.#context, pod);
    const isKept = passesFilters(plan, placement, pod.name);
    this.#unplaced.note(pod, placement, isKept);
    if (!isKept) {
      tallyLeftOut(tally, pod.name, placement);
      return targets.put(this, pod.uid, []);
    }
    tally.kept++;
    const object = this.#objects.get(pod.uid);
    if (object !== undefined) this.#context.onObject?.({ type: PODS, object, isGone: false });
    for (const container of pod.containers) tally.containers.add(container.name);
    const shown = this.#targetsOf(pod, placement);
    tally.shown += shown.length;
    targets.put(this, pod.uid, shown, givenBy(this.#options.group, pod, plan));
  }

  async #belongs(pod: PodFacts): Promise<boolean> {
    const { group, type, namespace } = this.#options;
    const spec = group.specs[0];
    if (!isMeant(spec, pod, this.#context.selector)) return false;
    if (!isType(type, PODS)) return belongsToRoots(this.#context, type, this.#roots, this.#orphans, pod);
    if (!globMatches(spec.name, pod.name)) return false;
    if (!spec.name.literal || namespace === undefined) return true;
    this.#pinned ??= pod.uid;
    return this.#pinned === pod.uid;
  }

  #targetsOf(pod: PodFacts, placement: Placement): readonly ContainerTarget[] {
    const { plan, targets } = this.#context;
    const chosen = chooseTargets(this.#options.group, pod, placement, plan);
    tallyChosen(this.#tally, chosen);
    return chosen.targets.filter((it) => isInState(plan, it) || targets.idsOf(this, pod.uid).includes(it.id));
  }

  /** Reports whether more may come: false for a named pod that is over, and for a Job that is. */
  #reportOpen(): void {
    if (!this.#synced) return;
    const { type, group, namespace, onOpen } = this.#options;
    const named = group.specs[0].name.literal && namespace !== undefined;
    if (!named) {
      onOpen(true);
    } else if (isType(type, PODS)) {
      const pod = this.#pinned === undefined ? undefined : this.#pods.get(this.#pinned);
      onOpen(pod !== undefined && !isOver(pod.phase));
    } else {
      onOpen(!isType(type, JOBS) || (!this.#rootGone && [...this.#roots.values()].at(-1)?.finished !== true));
    }
  }

  /** Combines the root's selector and --selector. Returns undefined if there is neither. */
  #labelSelector(root: Root | undefined): string | undefined {
    return selectorText([...(root?.selector ?? []), ...this.#context.selector]) || undefined;
  }
}

/** Watches the pods of one root, one watch after the other, because its selector may change. */
class PodWatches {
  readonly #onFailure: () => void;
  #present: { readonly selector: string | undefined; readonly stop: AbortController } | undefined;
  /** Settles when all watches are over. Rejects with the first failure. */
  ended: Promise<void> = Promise.resolve();

  constructor(onFailure: () => void) {
    this.#onFailure = onFailure;
  }

  /** Switches to another selector. Does nothing if it is the same. */
  watch(
    selector: string | undefined,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<void>,
  ): void {
    if (this.#present !== undefined && this.#present.selector === selector) return;
    this.#present?.stop.abort();
    const stop = new AbortController();
    this.#present = { selector, stop };
    const before = this.ended;
    const run = start(AbortSignal.any([signal, stop.signal]));
    this.ended = before.then(() => run);
    this.ended.catch(this.#onFailure);
    run.catch(this.#onFailure);
  }
}

/** Returns the object that an event reports; undefined if it is gone, or the event is of something else. */
function rootOf(event: ReflectorEvent<KubeObject>): KubeObject | undefined {
  switch (event.type) {
    case 'snapshot':
      return event.objects[0];
    case 'changed':
      return event.object;
    case 'deleted':
    case 'state':
      return undefined;
  }
}
