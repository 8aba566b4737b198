import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { SourceFrame } from '../../../domain/frame.ts';

/** Containers may notice an outage after it is over for the cluster: its end is reported after this time. */
const END_MS = 2_000;

/**
 * When a cluster goes away, its watches and every followed container notice. Reports it once when it begins,
 * from whichever notices first, and once when it is over: when the containers are back, because they are what
 * is read, or by the cluster if none of them had gone.
 */
export class Outage {
  /** All containers there ever were, and those of them without a connection, by their ids. */
  readonly #known = new Set<string>();
  readonly #away = new Set<string>();
  /** Those that were reported by name as being away. */
  readonly #named = new Set<string>();
  #isClusterAway = false;
  /** What the cluster reports at the end of an outage that it reported itself; empty before that end. */
  #clusterEnd: string | undefined;
  /** An outage of everything was reported, and its end was not. */
  #isReported = false;
  /** Containers that came back since then and were not reported. */
  #back = 0;
  readonly #clock: Clock;
  readonly #report: (line: string) => void;
  #cancelEnd: (() => void) | undefined;

  /** `report` is for what is reported later. */
  constructor(clock: Clock, report: (line: string) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  seeContainer(id: string): void {
    this.#known.add(id);
  }

  /** Reports nothing any more. */
  close(): void {
    this.#cancelEnd?.();
  }

  /**
   * Notes a notice of the whole cluster; whether to report it now. `later`: containers are reported too, so that an
   * end waits for them.
   */
  seeNotice({ code, text }: { readonly code: string; readonly text: string }, later: boolean): boolean {
    switch (code) {
      case 'cluster-away': {
        // Away again before its return was reported: that is the same outage.
        this.#cancelEnd?.();
        const isNew = !this.#isReported;
        if (isNew || this.#clusterEnd !== undefined) this.#clusterEnd = '';
        this.#isReported = true;
        this.#isClusterAway = true;
        return isNew;
      }
      case 'cluster-refuses':
        // What to do about it stands nowhere else.
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

  /** What to report of a container, or of many, if it is not reported already: a state, or what the cluster reported. */
  changeOf(frame: SourceFrame): SourceFrame | string | undefined {
    const ids = [frame.target.id, ...(frame.otherIds ?? [])];
    if (frame.state === 'reconnecting') return this.#changeOfAway(frame, ids);
    const returned = ids.filter((id) => this.#away.delete(id)).length;
    if (frame.state === 'reconnected') return this.#changeOfReturn(frame, returned);
    // It is not coming back, so nothing waits for it.
    const isLast = returned > 0 && this.#away.size === 0;
    if (isLast && this.#back === 0 && !this.#isClusterAway) this.#end();
    return frame;
  }

  #changeOfAway(frame: SourceFrame, ids: readonly string[]): SourceFrame | undefined {
    for (const id of ids) this.#away.add(id);
    if (this.#isReported) return undefined;
    this.#named.add(frame.target.id);
    this.#isReported = frame.others !== undefined || this.#away.size >= this.#known.size;
    return frame;
  }

  #changeOfReturn(frame: SourceFrame, returned: number): SourceFrame | string | undefined {
    if (!this.#isReported) return frame;
    this.#back += returned;
    if (this.#away.size > 0 && frame.others === undefined) return undefined;
    // One of many that noticed is not what was reported.
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
