import type { LogSource, WireContainerState } from '../../../contract/log-source.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { HueAllotment, identityOf } from '../../../domain/speakers/hues.ts';
import type { SourceCondition, ViewSource } from '../protocol/protocol.ts';

/** For entries without a source: they sort before all others of their time. */
export const NO_SOURCE = 0xffff_ffff;

/** Not an entry id: the entry was evicted. */
export const LET_GO = -1;

/** What all runs of a container share. */
export interface HeldContainer {
  /** The state in the most recently read pod status: runs arrive in any order. */
  state: WireContainerState;
  isGone: boolean;
  /** It is gone, and had lines that the tab did not hold, or may have had some: nobody can read them any more. */
  isCut: boolean;
}

/** One run of a container, and its loaded lines. */
export interface HeldSource {
  readonly index: number;
  readonly owner: HeldContainer;
  wire: LogSource;
  /** Held lines by level; the last one: without a level. */
  readonly levels: Uint32Array;
  /** Its first and last held line; LET_GO: that line was evicted, and the next one is found when needed. */
  first: number | undefined;
  last: number | undefined;
  /** Whether facts concern runs of its container: their positions depend on its lines. */
  hasFacts: boolean;
  isNew: boolean;
  /** Whether no wanted argument selects it any more. */
  isLeftOut: boolean;
}

/**
 * The sources of a view, by an index that survives reconnects (a stream counts its own sources from 0). The order text
 * identifies a run; the hue belongs to the container.
 */
export class SourceTable {
  readonly all: HeldSource[] = [];
  readonly #byOrder = new Map<string, HeldSource>();
  readonly #byPod = new Map<string, HeldSource[]>();
  /** By LogSource.id. */
  readonly #owners = new Map<string, HeldContainer>();
  readonly #hues = new HueAllotment();
  /** Changes with everything about sources that the page shows. */
  version = 0;

  /** Takes in a source as the stream describes it, including its container's current state; returns its index here. */
  take(wire: LogSource, isNew: boolean): number {
    const owner = this.#ownerOf(wire);
    owner.state = wire.state;
    owner.isGone = false;
    owner.isCut = false;
    return this.#put(wire, owner, isNew);
  }

  /**
   * Takes in a source of another read than the stream: its container had this state when the read began. The stream has
   * newer information, unless the container has restarted since.
   */
  takeRead(wire: LogSource, isNew: boolean): number {
    const owner = this.#ownerOf(wire);
    if (wire.state.restarts > owner.state.restarts) owner.state = wire.state;
    return this.#put(wire, owner, isNew);
  }

  #ownerOf({ id, state }: LogSource): HeldContainer {
    const known = this.#owners.get(id);
    if (known !== undefined) return known;
    const owner = { state, isGone: false, isCut: false };
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
   * Replaces a container whose run was unknown, now that it is known. Its rank among equal times stays the same
   * relative to other containers.
   */
  #withoutRun(wire: LogSource): HeldSource | undefined {
    if (wire.run === '') return undefined;
    const order = wire.order.slice(0, -wire.run.length);
    const known = this.#byOrder.get(order);
    // The next run of the container is another one.
    this.#byOrder.delete(order);
    return known;
  }

  /** Takes in a container that is only known from counts. */
  introduce(wire: LogSource): void {
    if (!this.#byOrder.has(wire.order)) this.takeRead(wire, false);
  }

  /** Whether a run of a container (LogSource.id) is known. */
  has(id: string): boolean {
    return this.#owners.has(id);
  }

  get(index: number): HeldSource {
    const source = this.all[index];
    if (source === undefined) throw new Error(`there is no source ${index}`);
    return source;
  }

  /** The run with that order text (`pod UID/container/run`); undefined: neither a line nor a state of it arrived. */
  ofRun(order: string): HeldSource | undefined {
    return this.#byOrder.get(order);
  }

  /** The runs of a container, or of all containers of a pod if no name is given. */
  about({ uid, container }: { readonly uid: string; readonly container?: string | undefined }): number[] {
    const ofPod = this.#byPod.get(uid) ?? [];
    const wanted = ofPod.filter(({ wire }) => container === undefined || wire.id === `${uid}/${container}`);
    return wanted.map(({ index }) => index);
  }

  /** The run that a fact concerns if it is known, else everything that `about` returns. */
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

  /** Marks a container as gone or as back: its lines stay. */
  setGone(index: number, isGone: boolean): void {
    this.get(index).owner.isGone = isGone;
    this.version++;
  }

  /** The latest known run of each existing container that is selected, regardless of the order of arrival. */
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

  /** Lists sources for the page: runs of one container share only their id and hue. */
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

/** The number of held lines of a run. */
export function linesOf(source: HeldSource): number {
  return source.levels.reduce((sum, lines) => sum + lines, 0);
}
