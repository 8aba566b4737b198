import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, latestTime, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
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
 * not scaled up: then it is the Event about scaling the hung one to 0. That of a DaemonSet is dated by the first of the
 * undone pods that it deletes. Without these the rollout keeps its bound.
 */
export class RolloutTimes {
  readonly #give: (facts: readonly Fact[]) => void;
  /** Absent: nothing waits. */
  readonly #clock: Clock | undefined;
  readonly #scalings = new Map<string, FactOf<'event'>>();
  readonly #pods = new Map<string, FactOf<'event'>>();
  /** By revision. */
  readonly #rollouts = new Map<string, FactOf<'rollout'>>();
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
    if (fact.kind === 'event' && fact.subject.kind === 'DaemonSet' && OF_PODS.includes(fact.reason))
      remember(this.#pods, fact.id, fact);
    if (fact.kind === 'rollout') remember(this.#rollouts, revisionKey(fact, fact.data.revision), fact);
    if (fact.kind === 'workload-condition' && fact.reason === 'NewReplicaSetAvailable')
      remember(this.#ends, fact.subject.uid, fact);
  }

  #dated(fact: Fact): Fact {
    if (fact.kind !== 'rollout' || fact.bound === undefined) return fact;
    const at = this.#timeOf(fact);
    if (at === undefined) return fact;
    const end = this.#ends.get(fact.subject.uid);
    const isDated = fact.data.isOver === true && end !== undefined && isWhole(at, end);
    const data = isDated ? { ...fact.data, lastedMs: spanMs(at, end.at) } : fact.data;
    return { ...fact, at, bound: undefined, data };
  }

  #timeOf(rollout: FactOf<'rollout'>): Timestamp | undefined {
    if (rollout.bound === undefined) return rollout.at;
    if (rollout.data.replicaSet === undefined) return this.#timeOfDaemons(rollout);
    const before = this.#before(rollout);
    const begun = before && this.#timeOf(before);
    if (before !== undefined && begun === undefined) return undefined;
    const earliest = latestTime([rollout.at, begun ?? rollout.at]);
    return this.#timeAfter(rollout, earliest, before?.data.replicaSet);
  }

  #before(rollout: FactOf<'rollout'>): FactOf<'rollout'> | undefined {
    return this.#rollouts.get(revisionKey(rollout, rollout.data.revision - 1));
  }

  /**
   * Returns when the ReplicaSet was first scaled up after the rollout before; if it never was, nor scaled to 0, when the
   * one of the revision before was scaled to 0. Of a Deployment that was scaled to 0, both are.
   */
  #timeAfter(
    { subject, data: { replicaSet } }: FactOf<'rollout'>,
    earliest: Timestamp,
    before: string | undefined,
  ): Timestamp | undefined {
    const timesOf = (pattern: RegExp, name: string | undefined) =>
      this.#timesOf(subject.uid, earliest, { pattern, replicaSet: name });
    const [up] = timesOf(SCALED_UP, replicaSet);
    if (up !== undefined || timesOf(SCALED_TO_0, replicaSet).length > 0) return up;
    return timesOf(SCALED_TO_0, before)[0];
  }

  /**
   * Returns when the controller first deleted a pod that it had created after the rollout before: until then it had the
   * template of that. A pod that failed it deletes for that reason (pkg/controller/daemon, podsShouldBeOnNode).
   */
  #timeOfDaemons(rollout: FactOf<'rollout'>): Timestamp | undefined {
    const { subject } = rollout;
    if (subject.kind !== 'DaemonSet') return undefined;
    const before = this.#before(rollout);
    const earliest = before && this.#timeOf(before);
    if (earliest === undefined) return undefined;
    const own = [...this.#pods.values()].filter((fact) => fact.subject.uid === subject.uid);
    const created = new Set(
      own.flatMap(({ reason, message, at }) =>
        reason === 'SuccessfulCreate' && compareTimestamps(at, earliest) >= 0 ? nameIn(message) : [],
      ),
    );
    const hasFailed = (name: string) =>
      own.some(({ reason, message }) => reason === 'FailedDaemonPod' && message.includes(`/${name} `));
    // A pod that leaves its node for good gets no successor.
    const isReplaced = ({ seconds }: Timestamp) =>
      own.some(({ reason, at }) => reason === 'SuccessfulCreate' && isSoonAfter(at.seconds, seconds));
    const times = own.flatMap(({ reason, message, at }) => {
      const name = nameIn(message);
      const isOfRollback = reason === 'SuccessfulDelete' && created.has(name) && !hasFailed(name);
      return isOfRollback && isReplaced(at) ? at : [];
    });
    return times.sort(compareTimestamps)[0];
  }

  /** Returns the known times after `earliest` at which a ReplicaSet of a Deployment was scaled, in order. */
  #timesOf(
    deployment: string,
    earliest: Timestamp,
    { pattern, replicaSet }: { readonly pattern: RegExp; readonly replicaSet: string | undefined },
  ): readonly Timestamp[] {
    const times = [...this.#scalings.values()]
      .filter(
        ({ subject: { uid }, message }) =>
          replicaSet !== undefined && uid === deployment && pattern.exec(message)?.[1] === replicaSet,
      )
      .flatMap(({ at, until, count }) => {
        if (compareTimestamps(at, earliest) > 0) return [at];
        // Of a longer series, the times between the first and the last are not known.
        return until !== undefined && count === 2 && compareTimestamps(until, earliest) > 0 ? [until] : [];
      });
    return times.sort(compareTimestamps);
  }
}

/** Events of a DaemonSet's controller about its pods. */
const OF_PODS: readonly string[] = ['SuccessfulCreate', 'SuccessfulDelete', 'FailedDaemonPod'];

/** Maximum time between the deletion of a pod and the creation of its successor, with the usual grace period. */
const SUCCESSOR_SECONDS = 60;

function isSoonAfter(seconds: number, before: number): boolean {
  return seconds >= before && seconds <= before + SUCCESSOR_SECONDS;
}

/** `Deleted pod: agent-x2x9p`. */
function nameIn(message: string): string {
  return message.slice(message.lastIndexOf(' ') + 1);
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
