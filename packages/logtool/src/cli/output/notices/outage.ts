import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ContainerFrame } from '../../../domain/frame.ts';

/**
 * Containers may notice an outage after the cluster has recovered, so its end is reported after this time.
 */
const END_MS = 2_000;

/**
 * When a cluster goes away, its watches and every followed container notice. This class reports the outage
 * once when it begins, from whichever notices first, and once when it is over: when the containers are back,
 * because logtool reads them, or when the cluster is back if no container was away.
 */
export class Outage {
  /** All containers so far, and those without a connection, by ID. */
  readonly #known = new Set<string>();
  readonly #away = new Set<string>();
  /** Containers that were reported as away by name. */
  readonly #named = new Set<string>();
  #isClusterAway = false;
  /** The cluster's message at the end of an outage that it reported; empty before that end. */
  #clusterEnd: string | undefined;
  /** An outage of everything was reported, but not its end. */
  #isReported = false;
  /** Containers that have come back since then without a report. */
  #back = 0;
  readonly #clock: Clock;
  readonly #report: (line: string) => void;
  #cancelEnd: (() => void) | undefined;

  /** `report` receives delayed reports. */
  constructor(clock: Clock, report: (line: string) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  seeContainer(id: string): void {
    this.#known.add(id);
  }

  /** Stops reporting. */
  close(): void {
    this.#cancelEnd?.();
  }

  /**
   * Takes a notice of the whole cluster; returns whether to report it now. `later`: containers are reported
   * too, so an end waits for them.
   */
  seeNotice({ code, text }: { readonly code: string; readonly text: string }, later: boolean): boolean {
    switch (code) {
      case 'cluster-away': {
        // The cluster went away again before its return was reported: this is the same outage.
        this.#cancelEnd?.();
        const isNew = !this.#isReported;
        if (isNew || this.#clusterEnd !== undefined) this.#clusterEnd = '';
        this.#isReported = true;
        this.#isClusterAway = true;
        return isNew;
      }
      case 'cluster-refuses':
        // No other message advises what to do about it.
        this.#clusterEnd = '';
        this.#isReported = true;
        this.#isClusterAway = true;
        return true;
      case 'cluster-back': {
        this.#isClusterAway = false;
        if (this.#clusterEnd !== undefined) this.#clusterEnd = text;
        if (later) this.#endSoon(text);
        else this.#end();
        return !later;
      }
      default:
        return true;
    }
  }

  /** Returns what to report of a container, or of many, if it is new: a state, or the cluster's message. */
  changeOf(frame: ContainerFrame): ContainerFrame | string | undefined {
    const ids = [frame.target.id, ...(frame.otherIds ?? [])];
    if (frame.state === 'reconnecting') return this.#changeOfAway(frame, ids);
    const returned = ids.filter((id) => this.#away.delete(id)).length;
    if (frame.state === 'reconnected') return this.#changeOfReturn(frame, returned);
    // The container is not coming back, so nothing waits for it.
    const isLast = returned > 0 && this.#away.size === 0;
    if (isLast && this.#back === 0 && !this.#isClusterAway) this.#end();
    return frame;
  }

  #changeOfAway(frame: ContainerFrame, ids: readonly string[]): ContainerFrame | undefined {
    for (const id of ids) this.#away.add(id);
    if (this.#isReported) return undefined;
    this.#named.add(frame.target.id);
    this.#isReported = frame.others !== undefined || this.#away.size >= this.#known.size;
    return frame;
  }

  #changeOfReturn(frame: ContainerFrame, returned: number): ContainerFrame | string | undefined {
    if (!this.#isReported) return frame;
    this.#back += returned;
    if (this.#away.size > 0 && frame.others === undefined) return undefined;
    // A single container that returned, of many, is not what was reported as away.
    const isOneOfMany = this.#back <= 1 && this.#known.size > 1 && !this.#named.has(frame.target.id);
    if (isOneOfMany && this.#clusterEnd === '') return undefined;
    const others = this.#back > 1 ? { others: this.#back - 1 } : {};
    const change = (isOneOfMany && this.#clusterEnd) || { ...frame, ...others };
    this.#end();
    return change;
  }

  #endSoon(text: string): void {
    this.#cancelEnd?.();
    this.#cancelEnd = this.#clock.after(END_MS, () => {
      if (!this.#isReported || this.#away.size > 0) return;
      this.#end();
      this.#report(text);
    });
  }

  #end(): void {
    this.#cancelEnd?.();
    this.#isReported = false;
    this.#clusterEnd = undefined;
    this.#named.clear();
    this.#back = 0;
  }
}
