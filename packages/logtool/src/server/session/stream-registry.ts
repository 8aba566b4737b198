import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type ServerFailures, serverFailure } from '../failures.ts';
import {
  type ClosingReason,
  type OpenStream,
  type Session,
  StreamClosing,
  type Streams,
} from '../services.ts';
import { personOf } from './person-of.ts';

/** Maximum open streams of one session: every tab needs two, browsers allow six connections. */
export const MAX_STREAMS = 64;
/** Maximum of one person in all of their sessions: enough for two browsers full of tabs. */
export const MAX_STREAMS_OF_ONE = 128;
/** Maximum of all sessions together: each stream holds what its reader has not taken yet. */
export const MAX_STREAMS_IN_ALL = 1_024;
/** This many are reserved for people who have fewer than GUARANTEED_STREAMS_OF_ONE: a few people cannot take all. */
export const KEPT_STREAMS = 256;
/** Number that each person may open while any are free: eight tabs. */
export const GUARANTEED_STREAMS_OF_ONE = 16;

/** Maximum ended sessions to remember: far more than can have requests in transit. */
const REMEMBERED = 10_000;

interface Running {
  readonly kind: string;
  readonly controller: AbortController;
  readonly cancelExpiry: () => void;
}

/** Every open stream of every session, to count and end them. */
export class StreamRegistry implements Streams {
  readonly #clock: Clock;
  #count = 0;
  readonly #running = new Map<string, Set<Running>>();
  /** Open streams of each person. */
  readonly #ofPerson = new Map<string, number>();
  /** A request may have passed the guard before its session ended: its stream then ends as it begins. */
  readonly #ended = new Map<string, ClosingReason>();
  #closed: ClosingReason | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Number of open streams of all sessions. */
  get count(): number {
    return this.#count;
  }

  open(session: Session, kind: string): OpenStream {
    const streams = this.#running.get(session.id) ?? new Set<Running>();
    if (streams.size >= MAX_STREAMS) throw tooMany({ of: 'session', limit: MAX_STREAMS });
    const person = personOf(session);
    const own = this.#ofPerson.get(person) ?? 0;
    this.#checkRoom(own);
    const controller = new AbortController();
    const { expiresAtMs } = session;
    const running: Running = {
      kind,
      controller,
      cancelExpiry:
        expiresAtMs === undefined
          ? () => {}
          : this.#clock.after(expiresAtMs - this.#clock.now(), () =>
              controller.abort(new StreamClosing('expired')),
            ),
    };
    const over = this.#closed ?? this.#ended.get(session.id);
    if (over !== undefined) controller.abort(new StreamClosing(over));
    this.#running.set(session.id, streams.add(running));
    this.#count++;
    this.#ofPerson.set(person, own + 1);
    return {
      signal: controller.signal,
      end: () => {
        running.cancelExpiry();
        if (streams.delete(running)) this.#giveBack(person);
        if (streams.size === 0 && this.#running.get(session.id) === streams) this.#running.delete(session.id);
      },
    };
  }

  #checkRoom(own: number): void {
    if (own >= MAX_STREAMS_OF_ONE) throw tooMany({ of: 'person', limit: MAX_STREAMS_OF_ONE });
    if (this.#count >= MAX_STREAMS_IN_ALL) throw tooMany({ of: 'server', limit: MAX_STREAMS_IN_ALL });
    if (own >= GUARANTEED_STREAMS_OF_ONE && this.#count >= MAX_STREAMS_IN_ALL - KEPT_STREAMS)
      throw tooMany({ of: 'share', limit: KEPT_STREAMS, share: GUARANTEED_STREAMS_OF_ONE });
  }

  #giveBack(person: string): void {
    this.#count--;
    const left = (this.#ofPerson.get(person) ?? 0) - 1;
    if (left > 0) this.#ofPerson.set(person, left);
    else this.#ofPerson.delete(person);
  }

  /** Notifies the streams of an ended session; they end by themselves. */
  closeSession(id: string, reason: ClosingReason): void {
    this.#ended.set(id, reason);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
    this.#notify(id, reason);
  }

  #notify(id: string, reason: ClosingReason): void {
    for (const { controller } of this.#running.get(id) ?? []) controller.abort(new StreamClosing(reason));
  }

  /** Notifies all streams, including future ones. */
  closeAll(reason: ClosingReason): void {
    this.#closed = reason;
    for (const id of [...this.#running.keys()]) this.#notify(id, reason);
  }
}

function tooMany(limit: ServerFailures['too-many-streams']): CodedError {
  return serverFailure('too-many-streams', limit);
}
