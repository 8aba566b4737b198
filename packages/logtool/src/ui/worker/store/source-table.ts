import type { LogSource, WireContainerState } from '../../../contract/log-source.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { HueAllotment, identityOf } from '../../../domain/speakers/hues.ts';
import type { SourceCondition, ViewSource } from '../session/protocol.ts';

/** For entries without a source: they come before all others of their time. */
export const NO_SOURCE = 0xffff_ffff;

/** No id of an entry. */
export const LET_GO = -1;

/** What all runs of a container have in common. */
export interface HeldContainer {
  /** As the pod's status was read last: runs come in any order. */
  state: WireContainerState;
  isGone: boolean;
}

/** One run of a container, and its loaded lines. */
export interface HeldSource {
  readonly index: number;
  readonly owner: HeldContainer;
  wire: LogSource;
  /** Held lines by level; the last one: without a level. */
  readonly levels: Uint32Array;
  /** Its first and its last held line; LET_GO: that went, and is found when it matters. */
  first: number | undefined;
  last: number | undefined;
  /** Facts are about runs of its container: where they lie depends on its lines. */
  hasFacts: boolean;
  isNew: boolean;
  /** No wanted argument asks for it any more. */
  isLeftOut: boolean;
}

/**
 * The sources of a view, by an index that stays over reconnects (a stream counts its own sources from 0). A run is
 * known by its place in the order; the hue belongs to the container.
 */
export class SourceTable {
  readonly all: HeldSource[] = [];
  readonly #byOrder = new Map<string, HeldSource>();
  readonly #byPod = new Map<string, HeldSource[]>();
  /** By LogSource.id. */
  readonly #owners = new Map<string, HeldContainer>();
  readonly #hues = new HueAllotment();
  /** Changes with every fact that the page shows. */
  version = 0;

  /** Takes in a source as the stream describes it, which says how its container stands now; returns its index here. */
  take(wire: LogSource, isNew: boolean): number {
    const owner = this.#ownerOf(wire);
    owner.state = wire.state;
    owner.isGone = false;
    return this.#put(wire, owner, isNew);
  }

  /**
   * Takes in a source of something that was read beside the stream: its container stood so when that began. The stream
   * knows better, unless the container has restarted since.
   */
  takeRead(wire: LogSource, isNew: boolean): number {
    const owner = this.#ownerOf(wire);
    if (wire.state.restarts > owner.state.restarts) owner.state = wire.state;
    return this.#put(wire, owner, isNew);
  }

  #ownerOf({ id, state }: LogSource): HeldContainer {
    const known = this.#owners.get(id);
    if (known !== undefined) return known;
    const owner = { state, isGone: false };
    this.#owners.set(id, owner);
    return owner;
  }

  #put(wire: LogSource, owner: HeldContainer, isNew: boolean): number {
    this.version++;
    const known = this.#byOrder.get(wire.order) ?? this.#withoutRun(wire);
    if (known !== undefined) {
      known.wire = { ...wire, index: known.index };
      this.#byOrder.set(wire.order, known);
      known.isLeftOut = false;
      return known.index;
    }
    const index = this.all.length;
    this.#hues.see(identityOf(wire));
    const source: HeldSource = {
      index,
      owner,
      wire: { ...wire, index },
      levels: new Uint32Array(LEVELS.length + 1),
      first: undefined,
      last: undefined,
      hasFacts: false,
      isNew,
      isLeftOut: false,
    };
    this.all.push(source);
    this.#byOrder.set(wire.order, source);
    const pod = podOf(wire.id);
    const ofPod = this.#byPod.get(pod);
    if (ofPod === undefined) this.#byPod.set(pod, [source]);
    else ofPod.push(source);
    return index;
  }

  /**
   * A container whose run was not known yet: now it is. Its place among equal times stays, as far as other containers
   * are concerned.
   */
  #withoutRun(wire: LogSource): HeldSource | undefined {
    if (wire.run === '') return undefined;
    const order = wire.order.slice(0, -wire.run.length);
    const known = this.#byOrder.get(order);
    // The next run of the container is another one.
    this.#byOrder.delete(order);
    return known;
  }

  /** Takes in a container that is known only by what was counted of it. */
  introduce(wire: LogSource): void {
    if (!this.#byOrder.has(wire.order)) this.takeRead(wire, false);
  }

  get(index: number): HeldSource {
    const source = this.all[index];
    if (source === undefined) throw new Error(`there is no source ${index}`);
    return source;
  }

  /** The run with that place in the order (`pod UID/container/run`); undefined: no line or state of it came. */
  ofRun(order: string): HeldSource | undefined {
    return this.#byOrder.get(order);
  }

  /** The runs of a container; of all containers of a pod without its name. */
  about({ uid, container }: { readonly uid: string; readonly container?: string | undefined }): number[] {
    const ofPod = this.#byPod.get(uid) ?? [];
    const wanted = ofPod.filter(({ wire }) => container === undefined || wire.id === `${uid}/${container}`);
    return wanted.map(({ index }) => index);
  }

  /** The run that a fact is about if it is known, else all that `about` gives. */
  ofSubject(subject: {
    readonly uid: string;
    readonly container?: string | undefined;
    readonly run?: string | undefined;
  }): number[] {
    const { uid, container, run } = subject;
    const ofRun = this.ofRun(`${uid}/${container}/${run}`);
    return ofRun === undefined ? this.about(subject) : [ofRun.index];
  }

  order(index: number): string {
    if (index === NO_SOURCE) return '';
    return (this.all[index] as HeldSource).wire.order;
  }

  /** The container left, or is back: its lines stay. */
  setGone(index: number, isGone: boolean): void {
    this.get(index).owner.isGone = isGone;
    this.version++;
  }

  /** Of each container that is asked for and exists, the latest of its known runs, whatever came last. */
  latestRuns(): readonly HeldSource[] {
    const latest = new Map<string, HeldSource>();
    for (const source of this.all) {
      const { owner, isLeftOut, wire } = source;
      if (owner.isGone || isLeftOut) continue;
      const before = latest.get(wire.id);
      if (before === undefined || before.wire.restarts <= wire.restarts) latest.set(wire.id, source);
    }
    return [...latest.values()];
  }

  /** For the page: runs of one container are one another's neighbours in nothing but their id and hue. */
  list(
    wanted: (source: HeldSource) => boolean,
    conditionOf: (source: HeldSource) => SourceCondition,
  ): ViewSource[] {
    return this.all.map((source) => ({
      ...source.wire,
      hue: this.#hues.of(identityOf(source.wire)),
      lines: linesOf(source),
      isNew: source.isNew,
      state: source.owner.state,
      isGone: source.owner.isGone,
      isRemoved: source.isLeftOut || !wanted(source),
      condition: conditionOf(source),
    }));
  }
}

function podOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

/** Lines of a run that are held. */
export function linesOf(source: HeldSource): number {
  return source.levels.reduce((sum, lines) => sum + lines, 0);
}
