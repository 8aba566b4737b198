import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { SourceFrame } from '../../domain/frame.ts';
import { sourceLine } from './source-lines.ts';

/** Containers may notice an outage after it is over for the cluster: they are waited for before its end is told. */
const END_MS = 2_000;

/**
 * A cluster that goes away is noticed by whatever watches it and by every container that is followed. A person is told
 * once that it is so, by whoever notices first, and once that it is over: when the containers are back, as they are
 * what is looked at, or by the cluster where none of them had gone.
 */
export class Outage {
  /** All containers there ever were, and those of them without a connection, by their ids. */
  readonly #known = new Set<string>();
  readonly #away = new Set<string>();
  /** Those that a person was told of by name as being away. */
  readonly #named = new Set<string>();
  #isClusterAway = false;
  /** What the cluster says of the end of an outage that it told of itself; empty before that end. */
  #clusterEnd: string | undefined;
  /** An outage of everything was told, and its end was not. */
  #isTold = false;
  /** Containers that came back since then and were not told of. */
  #back = 0;
  readonly #clock: Clock;
  readonly #say: (line: string) => void;
  #cancelEnd: (() => void) | undefined;

  /** `say` is for what is told later. */
  constructor(clock: Clock, say: (line: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  seeContainer(id: string): void {
    this.#known.add(id);
  }

  /** Nothing is told any more. */
  close(): void {
    this.#cancelEnd?.();
  }

  /**
   * Notes what is heard of the whole cluster; whether it is to be said now. `later`: containers are told of too, so
   * that an end waits for them.
   */
  seeNotice({ code, text }: { readonly code: string; readonly text: string }, later: boolean): boolean {
    switch (code) {
      case 'cluster-away': {
        // Away again before its return was told: that is the same outage.
        this.#cancelEnd?.();
        const isNews = !this.#isTold;
        if (isNews || this.#clusterEnd !== undefined) this.#clusterEnd = '';
        this.#isTold = true;
        this.#isClusterAway = true;
        return isNews;
      }
      case 'cluster-refuses':
        // What to do about it stands nowhere else.
        this.#clusterEnd = '';
        this.#isTold = true;
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

  /** What to say of a container, or of many, where it is not said already. */
  lineOf(frame: SourceFrame): string | undefined {
    const ids = [frame.target.id, ...(frame.otherIds ?? [])];
    if (frame.state === 'reconnecting') {
      for (const id of ids) this.#away.add(id);
      if (this.#isTold) return undefined;
      this.#named.add(frame.target.id);
      this.#isTold = frame.others !== undefined || this.#away.size >= this.#known.size;
      return sourceLine(frame);
    }
    const gone = ids.filter((id) => this.#away.delete(id)).length;
    if (frame.state !== 'reconnected') {
      // It is not coming back, so that nobody waits for it.
      if (gone > 0 && this.#away.size === 0 && this.#back === 0 && !this.#isClusterAway) this.#end();
      return sourceLine(frame);
    }
    if (!this.#isTold) return sourceLine(frame);
    this.#back += gone;
    if (this.#away.size > 0 && frame.others === undefined) return undefined;
    // One of many that noticed is not what a person was told of.
    const isOneOfMany = this.#back <= 1 && this.#known.size > 1 && !this.#named.has(frame.target.id);
    if (isOneOfMany && this.#clusterEnd === '') return undefined;
    const others = this.#back > 1 ? { others: this.#back - 1 } : {};
    const line = (isOneOfMany && this.#clusterEnd) || sourceLine({ ...frame, ...others });
    this.#end();
    return line;
  }

  #endSoon(text: string): void {
    this.#cancelEnd?.();
    this.#cancelEnd = this.#clock.after(END_MS, () => {
      if (!this.#isTold || this.#away.size > 0) return;
      this.#end();
      this.#say(text);
    });
  }

  #end(): void {
    this.#cancelEnd?.();
    this.#isTold = false;
    this.#clusterEnd = undefined;
    this.#named.clear();
    this.#back = 0;
  }
}
