import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { ContainerFrame } from '../../../domain/frame.ts';
import { targetText } from '../../messages/target-text.ts';

/** A broken connection is usually back at once; an outage of the cluster becomes known within this time. */
const GRACE_MS = 5_000;
/** After an outage of the cluster, connections wait up to half a minute before they retry. */
const AFTER_OUTAGE_MS = 30_000;
/** Others may come back, or go away again, before the end is reported. */
const END_MS = 2_000;

/**
 * Followed containers that are unreadable while the cluster is reachable: a node is away, or a permission was
 * revoked. Unless a user is watching containers come and go, this reports one line at the beginning, however
 * many containers there are, and one at the end.
 */
export class Unreadable {
  readonly #clock: Clock;
  readonly #report: (line: string) => void;
  readonly #known = new Map<string, ContainerTarget>();
  /** When each went away, in ms. */
  readonly #away = new Map<string, number>();
  #why = '';
  #isReported = false;
  #isClusterAway = false;
  /** Containers that have come back since the report, and whether a pod left instead. */
  readonly #back = new Set<string>();
  #hasLeft = false;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, report: (line: string) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  seeContainer(target: ContainerTarget): void {
    this.#known.set(target.id, target);
  }

  /** Takes a notice of the whole cluster: its outage is already reported, and its end restarts the time. */
  seeNotice(code: string): void {
    if (code === 'cluster-away' || code === 'cluster-refuses') this.#isClusterAway = true;
    else if (code === 'cluster-back') {
      this.#isClusterAway = false;
      for (const id of this.#away.keys()) this.#away.set(id, this.#clock.steady() + AFTER_OUTAGE_MS);
    } else return;
    this.#update();
  }

  /** `why`: the reason why an absent container is unreadable. */
  see(frame: ContainerFrame, why: string): void {
    const ids = [frame.target.id, ...(frame.otherIds ?? [])];
    if (frame.state === 'reconnecting') this.#seeAway(ids, why);
    else for (const id of ids) this.#seeEnd(id, frame.state);
    this.#update();
  }

  #seeAway(ids: readonly string[], why: string): void {
    this.#why = why;
    const now = this.#clock.steady();
    for (const id of ids) if (!this.#away.has(id)) this.#away.set(id, now);
  }

  #seeEnd(id: string, state: ContainerFrame['state']): void {
    if (this.#away.delete(id)) this.#noteEnd(id, state);
    if (state === 'left') this.#known.delete(id);
  }

  /** Stops reporting. */
  close(): void {
    this.#cancel?.();
  }

  /** A container that failed permanently gets its own report. */
  #noteEnd(id: string, state: ContainerFrame['state']): void {
    if (state === 'left') this.#hasLeft = true;
    else if (state !== 'failed') this.#back.add(id);
  }

  #update(): void {
    this.#cancel?.();
    if (this.#isReported) {
      if (this.#away.size === 0) this.#cancel = this.#clock.after(END_MS, () => this.#reportEnd());
      return;
    }
    if (this.#isClusterAway || this.#away.size === 0) return;
    const dueMs = Math.min(...this.#away.values()) + GRACE_MS - this.#clock.steady();
    if (dueMs > 0) this.#cancel = this.#clock.after(dueMs, () => this.#update());
    else this.#reportBegin();
  }

  #reportBegin(): void {
    this.#isReported = true;
    this.#back.clear();
    this.#hasLeft = false;
    this.#report(`cannot read ${this.#names([...this.#away.keys()])} for now, trying again: ${this.#why}`);
  }

  #reportEnd(): void {
    this.#isReported = false;
    const back = [...this.#back];
    if (back.length > 0) this.#report(`reading ${this.#names(back)} again`);
    else if (this.#hasLeft) this.#report('the unreadable containers are gone');
  }

  /** Names one container, or counts many, with their node if they share one. */
  #names(ids: readonly string[]): string {
    const targets = ids.flatMap((id) => this.#known.get(id) ?? []);
    const [first] = targets;
    if (ids.length === 1 && first !== undefined) return targetText(first);
    const node = first?.placement.node;
    const isOfNode = node !== undefined && targets.every(({ placement }) => placement.node === node);
    return `${ids.length} containers${isOfNode ? ` on node ${node}` : ''}`;
  }
}
