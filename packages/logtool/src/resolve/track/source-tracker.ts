import { DEPLOYMENTS, JOBS, PODS, SERVICES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ReflectorEvent } from '@logtool/kube/src/client.ts';
import type { ContainerTarget, Placement } from '../domain/container.ts';
import { globMatches } from '../domain/glob.ts';
import { belongsToRoots, isMeant } from './belongs.ts';
import { chooseTargets, givenBy, isInState } from './choose-containers.ts';
import { isOver } from './container-facts.ts';
import type { ResolveContext } from './context.ts';
import { selectorText } from './label-selector.ts';
import type { Observation } from './observe.ts';
import { observeAloud } from './observe-aloud.ts';
import { Orphans } from './orphans.ts';
import { placePod } from './place-pod.ts';
import { needsNodes, passesFilters } from './placement-wishes.ts';
import { type PodFacts, readPod } from './pod-facts.ts';
import { betweenOf, isType, type Root, readRoot } from './roots.ts';
import { emptyTally, type Tally, tallyChosen, tallyLeftOut } from './tally.ts';
import type { TrackerOptions } from './tracker-options.ts';
import { Turns } from './turns.ts';
import { Unplaced } from './unplaced.ts';

/**
 * Keeps the containers of one source in one namespace (or in all of them) up to date. Objects and pods may arrive in
 * any order, so every change of the roots looks at all pods again.
 */
export class SourceTracker {
  readonly #context: ResolveContext;
  readonly #options: TrackerOptions;
  readonly #roots = new Map<string, Root>();
  #pods = new Map<string, PodFacts>();
  readonly #orphans = new Orphans();
  readonly #unplaced: Unplaced;
  #tally: Tally;
  #synced = false;
  readonly #awaited: Set<'roots' | 'pods'>;
  readonly #turns: Turns;
  /** A pod that was named is meant as the one that it was at first: another pod of its name is another pod. */
  #pinned: string | undefined;
  #restart: AbortController | undefined;
  #selectorText: string | undefined;
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

  /** Ends after the first look, or with follow when the signal is aborted. Throws what ends the source. */
  async run(): Promise<void> {
    const { type, namespace, group } = this.#options;
    const { name } = group.specs[0];
    if (isType(type, PODS)) {
      const named = name.literal ? { name: name.text } : {};
      // A selector is left to this side where a single object is read: get has none.
      const labelSelector = name.literal ? undefined : this.#labelSelector(undefined);
      await this.#watchPods({ type: PODS, namespace, ...named, labelSelector }, this.#options.signal);
      return;
    }
    if (name.literal && (namespace !== undefined || !type.namespaced)) await this.#trackOne(name.text);
    else await this.#trackMany(name.literal ? name.text : undefined);
  }

  /** Lets go of everything. */
  release(): void {
    for (const uid of this.#context.targets.podsOf(this)) this.#context.targets.drop(this, uid);
  }

  /** One object by its name: its selector narrows the request for pods, and may change. */
  async #trackOne(name: string): Promise<void> {
    const { type, namespace, signal } = this.#options;
    const failure = new AbortController();
    const whole = AbortSignal.any([signal, failure.signal]);
    let pods: Promise<void> = Promise.resolve();
    const roots = async () => {
      const place = type.namespaced ? namespace : undefined;
      for await (const event of observeAloud(this.#context, { type, namespace: place, name }, whole)) {
        const object =
          event.type === 'snapshot' ? event.objects[0] : event.type === 'changed' ? event.object : undefined;
        await this.#turns.take(async () => {
          if (object === undefined) {
            this.#rootGone = true;
            if (event.type === 'snapshot') await this.#noteRoots();
            this.#tellOpen();
            return;
          }
          const root = readRoot(type, object);
          const known = this.#roots.has(root.uid);
          if (isType(type, SERVICES)) this.#roots.clear();
          this.#roots.set(root.uid, root);
          this.#rootGone = false;
          if (!known) await this.#noteRoots();
          this.#tellOpen();
          const text = this.#labelSelector(root);
          if (this.#restart !== undefined && text === this.#selectorText) return;
          this.#selectorText = text;
          this.#restart?.abort();
          this.#restart = new AbortController();
          const own = AbortSignal.any([whole, this.#restart.signal]);
          if (isType(type, DEPLOYMENTS) && root.selector !== undefined && !this.#synced)
            this.#context.owners.readAhead(namespace, selectorText(root.selector));
          const before = pods;
          const run = this.#watchPods({ type: PODS, namespace, labelSelector: text }, own);
          pods = before.then(() => run);
          // The loop over roots does not wait for the pods: a failure there has to end it.
          pods.catch(() => failure.abort());
          run.catch(() => failure.abort());
        });
      }
    };
    try {
      await roots();
    } finally {
      // What went wrong with the pods goes before the abort that it caused.
      await pods;
    }
  }

  /**
   * All objects of the kind whose name matches: pods of the whole place are looked at. Where one look is all that is
   * asked for, those of one name are read first, and their selector narrows the request for pods if it is the same.
   */
  async #trackMany(name: string | undefined): Promise<void> {
    const inTurn = name !== undefined && !this.#context.follow;
    const { type, namespace, signal } = this.#options;
    const failure = new AbortController();
    const whole = AbortSignal.any([signal, failure.signal]);
    const roots = async () => {
      const place = type.namespaced ? namespace : undefined;
      const metadataOnly = !isType(type, SERVICES) && !inTurn;
      const observation = { type, namespace: place, name, metadataOnly };
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
    let news = false;
    const take = (object: KubeObject) => {
      if (!globMatches(name, object.metadata.name)) return;
      const root = readRoot(type, object);
      news ||= isService || !this.#roots.has(root.uid);
      this.#roots.set(root.uid, root);
    };
    if (event.type === 'snapshot') {
      // Pods of a deleted owner say themselves when they go; those of a deleted Service do not.
      if (isService) this.#roots.clear();
      event.objects.forEach(take);
      news = true;
    } else if (event.type === 'changed') {
      take(event.object);
    } else if (event.type === 'deleted' && isService) {
      news = this.#roots.delete(event.object.metadata.uid);
    }
    if (event.type === 'snapshot') await this.#noteRoots();
    else if (news && this.#synced) await this.#lookAtAll();
  }

  async #noteRoots(): Promise<void> {
    const { type, group, namespace } = this.#options;
    const isOne = namespace !== undefined || !type.namespaced;
    // Without a root that was named there is no request for pods to wait for.
    if (this.#roots.size === 0 && group.specs[0].name.literal && (isOne || !this.#context.follow))
      this.#awaited.delete('pods');
    this.#awaited.delete('roots');
    await this.#lookAtAll();
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
    const { targets } = this.#context;
    if (event.type === 'snapshot') {
      const pods = event.objects.map(readPod);
      this.#pods = new Map(pods.map((pod) => [pod.uid, pod]));
      for (const uid of targets.podsOf(this)) if (!this.#pods.has(uid)) targets.drop(this, uid);
      this.#orphans.retain(this.#pods);
      this.#awaited.delete('pods');
      await this.#lookAtAll();
    } else if (event.type === 'changed') {
      const pod = readPod(event.object);
      this.#pods.set(pod.uid, pod);
      if (this.#synced) await this.#look(pod);
    } else if (event.type === 'deleted') {
      const pod = readPod(event.object);
      this.#pods.delete(pod.uid);
      this.#orphans.forget(pod.uid);
      if (targets.holds(this, pod.uid)) {
        targets.drop(this, pod.uid, this.#targetsOf(pod, await placePod(this.#context, pod)));
      }
    }
    this.#tellOpen();
  }

  async #lookAtAll(): Promise<void> {
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
    for (const pod of pods) await this.#look(pod);
    this.#unplaced.report();
    if (this.#synced) return;
    this.#synced = true;
    this.#tellOpen();
    await onSynced(this.#tally);
  }

  async #look(pod: PodFacts): Promise<void> {
    const { targets, plan } = this.#context;
    const tally = this.#tally;
    if (!(await this.#belongs(pod))) return targets.put(this, pod.uid, []);
    tally.pods++;
    const placement = await placePod(this.#context, pod);
    const isKept = passesFilters(plan, placement, pod.name);
    this.#unplaced.note(pod, placement, isKept);
    if (!isKept) {
      tallyLeftOut(tally, pod.name, placement);
      return targets.put(this, pod.uid, []);
    }
    tally.kept++;
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

  /** Whether more may come: not for a pod that was named and is over, nor for a Job that is. */
  #tellOpen(): void {
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

  /** The root's selector and --selector in one; undefined when there is neither. */
  #labelSelector(root: Root | undefined): string | undefined {
    return selectorText([...(root?.selector ?? []), ...this.#context.selector]) || undefined;
  }
}
