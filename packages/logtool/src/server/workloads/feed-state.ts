import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { WireError } from '../../contract/error.ts';
import type { WorkloadFrame } from '../../contract/workload.ts';

export type StateFrame = Extract<WorkloadFrame, { readonly type: 'state' }>;

interface Scope {
  readonly state: 'polling' | 'retrying';
  readonly error: WireError | undefined;
  readonly retryAtMs: number | undefined;
}

/** Combines the states of everything watched: retrying first, then polling, else live. Reports each once. */
export class FeedState {
  readonly #clock: Clock;
  readonly #notify: (frame: StateFrame) => void;
  readonly #scopes = new Map<string, Scope>();
  #reported = 'live';

  constructor(clock: Clock, notify: (frame: StateFrame) => void) {
    this.#clock = clock;
    this.#notify = notify;
  }

  set(
    scope: string,
    state: 'live' | 'polling' | 'retrying',
    error: WireError | undefined,
    retryInMs?: number,
  ): void {
    if (state === 'live') this.#scopes.delete(scope);
    else {
      const retryAtMs = retryInMs === undefined ? undefined : this.#clock.now() + retryInMs;
      this.#scopes.set(scope, { state, error, retryAtMs });
    }
    const { retryInMs: _, ...shown } = this.frame;
    const text = shown.state === 'live' ? 'live' : `${JSON.stringify(shown)} ${this.#retryAtMs ?? ''}`;
    if (text === this.#reported) return;
    this.#reported = text;
    this.#notify(this.frame);
  }

  get frame(): StateFrame {
    const worst = this.#of('retrying') ?? this.#of('polling');
    if (worst === undefined) return { type: 'state', state: 'live' };
    const retryAtMs = worst.state === 'retrying' ? this.#retryAtMs : undefined;
    return {
      type: 'state',
      state: worst.state,
      error: worst.error,
      retryInMs: retryAtMs === undefined ? undefined : Math.max(0, retryAtMs - this.#clock.now()),
    };
  }

  /** Scopes that wait for their next retry. */
  get retrying(): readonly string[] {
    return [...this.#scopes].filter(([, { state }]) => state === 'retrying').map(([scope]) => scope);
  }

  #of(state: Scope['state']): Scope | undefined {
    return [...this.#scopes.values()].find((scope) => scope.state === state);
  }

  /** Time of the earliest retry. */
  get #retryAtMs(): number | undefined {
    const times = [...this.#scopes.values()].flatMap(({ retryAtMs }) => retryAtMs ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }
}
