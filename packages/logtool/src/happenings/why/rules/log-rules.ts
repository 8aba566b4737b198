import type { FactSubject } from '../../../domain/facts/fact.ts';
import type { Doubt, Verdict } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, podOf } from '../evidence.ts';
import type { LogErrors } from '../logs/find-errors.ts';
import { MAX_KINDS } from '../logs/log-digest.ts';
import { secondOf } from '../logs/log-gaps.ts';
import type { Rule } from '../make-verdict.ts';
import { namesOf } from '../names-of.ts';

/**
 * Proof: only lines of the log, which logtool reads only if the facts do not explain a current trouble.
 * It shows what was new shortly before the first error; nothing proves that this is the cause.
 */
export const logErrors: Rule = (evidence) => evidence.errors.map((errors) => verdictOf(evidence, errors));

function verdictOf(evidence: Evidence, found: LogErrors): Verdict {
  const { container, errors, isFirstNew, since, until, isOver, targets } = found;
  const pods: readonly FactSubject[] = targets.map(({ namespace, pod, podUid }) => ({
    kind: 'Pod',
    namespace,
    name: pod,
    uid: podUid,
  }));
  const restarts = pods
    .flatMap((pod) => podOf(evidence, pod)?.containers ?? [])
    .filter(({ name }) => name === container)
    .reduce((sum, { restarts: count }) => sum + count, 0);
  const { firstError, newBefore, newCount } = found;
  return {
    code: 'log-errors',
    data: { container, errors, isNew: isFirstNew },
    pods,
    since,
    until,
    isOver,
    restarts,
    proof: [],
    log: { firstError, isFirstNew, newBefore, newCount },
    doubts: doubtsOf(found),
  };
}

function doubtsOf({ newBefore, lead: { seconds, without }, gap, full }: LogErrors): readonly Doubt[] {
  const doubts: Doubt[] = [];
  if (gap !== undefined) {
    const from = gap.from === undefined ? {} : { from: secondOf(gap.from) };
    doubts.push({ code: 'begun-in-gap', data: { ...namesOf([gap.target]), ...from } });
  }
  if (newBefore.length > 0) doubts.push({ code: 'new-is-no-proof', data: {} });
  else if (seconds === undefined) doubts.push({ code: 'too-little-before', data: {} });
  else doubts.push({ code: 'nothing-new-before', data: { seconds, ...namesOf(without) } });
  if (full.length > 0) doubts.push({ code: 'kinds-cut', data: { ...namesOf(full), limit: MAX_KINDS } });
  return doubts;
}
