import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactSubject } from '../../../domain/facts/fact.ts';
import type { Probe } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, podOf } from '../evidence.ts';
import { earliestOf } from '../make-verdict.ts';
import { containerOf } from '../pod-now.ts';

/** If the spec of the container is unknown: three failures, one each 11 s, as the API's defaults are. */
const DEFAULT_SECONDS = 33;

/**
 * Returns when a trouble by a probe began. One event counts all failures of a probe in the life of its
 * container, so its first time may be of an earlier trouble: it counts only if the probe's effect followed it
 * within the failures that it needs.
 */
export function firstSignOf(
  evidence: Evidence,
  found: {
    /** Facts of the effect. */
    readonly signs: readonly Fact[];
    readonly failures: readonly Fact[];
    readonly container: string;
    readonly probe: Probe;
  },
): Timestamp | undefined {
  const { signs, failures, container, probe } = found;
  if (signs.length === 0) return undefined;
  const effect = earliestOf(signs);
  const near = failures.filter(
    ({ subject, at }) =>
      effect.seconds - at.seconds <= probeSecondsOf(evidence, { ...subject, container }, probe),
  );
  return earliestOf([...signs, ...near]);
}

/** Returns the maximum seconds from the first failure of a container's probe to its effect. */
export function probeSecondsOf(evidence: Evidence, subject: FactSubject, probe: Probe): number {
  return containerOf(podOf(evidence, subject), subject.container)?.probeSeconds[probe] ?? DEFAULT_SECONDS;
}
