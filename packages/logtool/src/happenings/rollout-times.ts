import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactOf } from '../domain/facts/fact.ts';
import { spanMs } from './facts-of-pod.ts';
import { isUnbroken } from './facts-of-workload.ts';

/** pkg/controller/deployment/sync.go (scaleReplicaSet); earlier versions do not name the size before. */
const SCALED_UP = /^Scaled up replica set (\S+) /;
export const SCALED_TO_0 = /^Scaled down replica set (\S+) (?:from \d+ )?to 0\b/;
/** How long a rollout waits for the Event that has its time. */
const WAIT_MS = 3_000;
/** Maximum Events and rollouts to remember. */
const MAX_KNOWN = 1_000;

/**
 * Gives a rollback its time. It reuses an old ReplicaSet, whose creation is that of an earlier rollout: only the
 * Deployment's Event about scaling it up has the time. The ReplicaSet of a rollout that hung was never scaled down and is
 * not scaled up: then it is the Event about scaling the hung one to 0. Without these the rollout keeps its bound.
 */
export class RolloutTimes {
  readonly #give: (facts: readonly Fact[]) => void;
  /** Absent: nothing waits. */
  readonly #clock: Clock | undefined;
  readonly #scalings = new Map<string, FactOf<'event'>>();
  /** The ReplicaSets of revisions. */
  readonly #replicaSets = new Map<string, string>();
  readonly #ends = new Map<string, FactOf<'workload-condition'>>();
  readonly #held = new Map<string, { readonly fact: FactOf<'rollout'>; readonly cancel: () => void }>();

  /** `give`: takes rollouts that have waited. */
  constructor(clock: Clock | undefined, give: (facts: readonly Fact[]) => void) {
    this.#clock = clock;
    this.#give = give;
  }

  /** Returns facts with the times that are known now. */
  dated(facts: readonly Fact[]): readonly Fact[] {
    for (const fact of facts) this.#remember(fact);
    return facts.map((fact) => this.#dated(fact));
  }

  /** Like `dated`, but keeps rollouts without a time for a while: their Events may come after them. */
  take(facts: readonly Fact[]): readonly Fact[] {
    const now = this.dated(facts).filter((fact) => fact.kind !== 'rollout' || !this.#hold(fact));
    const known = [...this.#held.values()].map(({ fact }) => this.#dated(fact));
    const late = known.filter((fact) => fact.bound === undefined);
    for (const { id } of late) this.#letGo(id);
    return [...now, ...late];
  }

  /** Cancels all timers. */
  stop(): void {
    for (const { cancel } of this.#held.values()) cancel();
    this.#held.clear();
  }

  #hold(fact: FactOf<'rollout'>): boolean {
    if (fact.bound === undefined || fact.data.isOver === undefined || this.#clock === undefined) return false;
    if (this.#held.size >= MAX_KNOWN) return false;
    const flush = () => {
      const held = this.#held.get(fact.id)?.fact;
      this.#held.delete(fact.id);
      if (held !== undefined) this.#give([held]);
    };
    const cancel = this.#held.get(fact.id)?.cancel ?? this.#clock.after(WAIT_MS, flush);
    this.#held.set(fact.id, { fact, cancel });
    return true;
  }

  #letGo(id: string): void {
    this.#held.get(id)?.cancel();
    this.#held.delete(id);
  }

  #remember(fact: Fact): void {
    if (fact.kind === 'event' && fact.reason === 'ScalingReplicaSet') remember(this.#scalings, fact.id, fact);
    if (fact.kind === 'rollout' && fact.data.replicaSet !== undefined)
      remember(this.#replicaSets, revisionKey(fact, fact.data.revision), fact.data.replicaSet);
    if (fact.kind === 'workload-condition' && fact.reason === 'NewReplicaSetAvailable')
      remember(this.#ends, fact.subject.uid, fact);
  }

  #dated(fact: Fact): Fact {
    if (fact.kind !== 'rollout' || fact.bound === undefined || fact.data.replicaSet === undefined)
      return fact;
    const at = this.#timeOf(fact);
    if (at === undefined) return fact;
    const end = this.#ends.get(fact.subject.uid);
    const isDated = fact.data.isOver === true && end !== undefined && isWhole(at, end);
    const data = isDated ? { ...fact.data, lastedMs: spanMs(at, end.at) } : fact.data;
    return { ...fact, at, bound: undefined, data };
  }

  /**
   * Returns when the ReplicaSet was first scaled up after the rollout before; if it never was, nor scaled to 0, when the
   * one of the revision before was scaled to 0. Of a Deployment that was scaled to 0, both are.
   */
  #timeOf(rollout: FactOf<'rollout'>): Timestamp | undefined {
    const { replicaSet, revision } = rollout.data;
    const [up] = this.#timesOf(rollout, SCALED_UP, replicaSet);
    if (up !== undefined || this.#timesOf(rollout, SCALED_TO_0, replicaSet).length > 0) return up;
    const before = this.#replicaSets.get(revisionKey(rollout, revision - 1));
    return this.#timesOf(rollout, SCALED_TO_0, before)[0];
  }

  /** Returns the known times at which a ReplicaSet was scaled after the rollout before, in order. */
  #timesOf(
    { at: earliest, subject }: FactOf<'rollout'>,
    pattern: RegExp,
    replicaSet: string | undefined,
  ): readonly Timestamp[] {
    const times = [...this.#scalings.values()]
      .filter(
        ({ subject: { uid }, message }) =>
          replicaSet !== undefined && uid === subject.uid && pattern.exec(message)?.[1] === replicaSet,
      )
      .flatMap(({ at, until, count }) => {
        if (compareTimestamps(at, earliest) > 0) return [at];
        // Of a longer series, the times between the first and the last are not known.
        return until !== undefined && count === 2 && compareTimestamps(until, earliest) > 0 ? [until] : [];
      });
    return times.sort(compareTimestamps);
  }
}

function revisionKey({ subject }: Fact, revision: number): string {
  return `${subject.uid}/${revision}`;
}

/** Whether a rollout that began at a time ended then, without standing still. */
function isWhole(begun: Timestamp, { at, data: { heldMs } }: FactOf<'workload-condition'>): boolean {
  if (compareTimestamps(at, begun) < 0 || heldMs === undefined) return false;
  return isUnbroken(begun, { ...at, seconds: at.seconds - Math.floor(heldMs / 1_000) });
}

function remember<T>(known: Map<string, T>, key: string, value: T): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
}
