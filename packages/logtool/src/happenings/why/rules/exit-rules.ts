import type { Fact } from '../../../domain/facts/fact.ts';
import type { Doubt, Verdict, VerdictCode } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, nodeOf, podOf } from '../evidence.ts';
import { groupsOf } from '../groups-of.ts';
import { makeVerdict, type Rule } from '../make-verdict.ts';
import { containerOf } from '../pod-now.ts';
import { causeOfExit, type Exit, probeKillOf, rebootOf } from './exit-cause.ts';

type Exits = readonly [Exit, ...Exit[]];

/** Groups ends of one cause, for one verdict per container and exit code. */
function exitsOf(evidence: Evidence, code: VerdictCode): readonly Exits[] {
  const exits = factsOf(evidence, 'exited').filter((exit) => causeOfExit(exit, evidence) === code);
  return groupsOf(exits, ({ subject, data }) => `${subject.container} ${data.exitCode}`);
}

function endedOf(exits: Exits) {
  const last = exits.at(-1) ?? exits[0];
  const { exitCode, lastedMs } = last.data;
  return { container: last.subject.container ?? '', exitCode, lastedMs };
}

/** Returns events about the same containers that belong to their ends. */
function backOffsOf(evidence: Evidence, exits: Exits): readonly Fact[] {
  const keys = new Set(exits.map(keyOf));
  return [...eventsOf(evidence, 'BackOff'), ...factsOf(evidence, 'waiting')].filter(
    (fact) =>
      keys.has(keyOf(fact)) &&
      (fact.kind === 'event' ? fact.message.startsWith('Back-off restarting') : isBackOff(fact)),
  );
}

const isBackOff = ({ reason }: Fact) => reason === 'CrashLoopBackOff';

function keyOf({ subject: { uid, container } }: Fact): string {
  return `${uid}/${container}`;
}

function doubtsOf(evidence: Evidence, exits: Exits): readonly Doubt[] {
  const known = new Map<string, number>();
  for (const exit of exits) known.set(keyOf(exit), (known.get(keyOf(exit)) ?? 0) + 1);
  let restarts = 0;
  for (const [first] of groupsOf(exits, keyOf)) {
    const all = containerOf(podOf(evidence, first.subject), first.subject.container)?.restarts ?? 0;
    if (all > (known.get(keyOf(first)) ?? 0)) restarts += all;
  }
  return restarts === 0 ? [] : [{ code: 'earlier-ends-unknown', data: { restarts } }];
}

function exitVerdict<C extends VerdictCode>(
  evidence: Evidence,
  code: C,
  exits: Exits,
  data: Parameters<typeof makeVerdict<C>>[2],
  more: { readonly facts?: readonly Fact[]; readonly doubts?: readonly Doubt[] } = {},
): Verdict {
  const facts = [...exits, ...backOffsOf(evidence, exits), ...(more.facts ?? [])] as [Fact, ...Fact[]];
  const doubts = [...(more.doubts ?? []), ...doubtsOf(evidence, exits)];
  return makeVerdict(evidence, code, data, facts, { doubts, container: endedOf(exits).container });
}

/** Proof: the status has the reason OOMKilled. */
export const oomContainer: Rule = (evidence) =>
  exitsOf(evidence, 'oom-container').map((exits) =>
    exitVerdict(evidence, 'oom-container', exits, {
      ...endedOf(exits),
      memoryLimit: exits.at(-1)?.data.memoryLimit,
    }),
  );

/** Proof: the runtime's own message. */
export const commandNotStarted: Rule = (evidence) =>
  exitsOf(evidence, 'command-not-started').map((exits) =>
    exitVerdict(evidence, 'command-not-started', exits, {
      ...endedOf(exits),
      message: exits.at(-1)?.message ?? '',
    }),
  );

/** Proof: the exit code of a shell. */
export const programMissing: Rule = (evidence) =>
  exitsOf(evidence, 'program-missing').map((exits) =>
    exitVerdict(evidence, 'program-missing', exits, endedOf(exits)),
  );

/** Proof: an init container ended with a code other than 0. */
export const initFailed: Rule = (evidence) =>
  exitsOf(evidence, 'init-failed').map((exits) =>
    exitVerdict(evidence, 'init-failed', exits, endedOf(exits)),
  );

/** Proof: the exit code names a signal that a program causes itself. */
export const crashedBySignal: Rule = (evidence) =>
  exitsOf(evidence, 'crashed-by-signal').map((exits) =>
    exitVerdict(evidence, 'crashed-by-signal', exits, {
      ...endedOf(exits),
      signal: endedOf(exits).exitCode - 128,
    }),
  );

/** Proof: only the exit code. Earlier rules have excluded every recorded sender of the signal. */
export const stoppedBySignal: Rule = (evidence) =>
  exitsOf(evidence, 'stopped-by-signal').map((exits) =>
    exitVerdict(
      evidence,
      'stopped-by-signal',
      exits,
      { ...endedOf(exits), signal: endedOf(exits).exitCode - 128 },
      { doubts: [{ code: 'sender-unknown', data: {} }, ...oomsNear(evidence, exits)] },
    ),
  );

/** Proof: the exit code; its last lines give details. */
export const crashed: Rule = (evidence) =>
  exitsOf(evidence, 'crashed').map((exits) => exitVerdict(evidence, 'crashed', exits, endedOf(exits)));

/** Proof: the exit code 0 and the back-off. */
export const endedWithoutFailure: Rule = (evidence) =>
  exitsOf(evidence, 'ended-without-failure').map((exits) =>
    exitVerdict(evidence, 'ended-without-failure', exits, endedOf(exits)),
  );

/** Proof: the kubelet's event that it kills the container. */
export const probeKilled: Rule = (evidence) =>
  exitsOf(evidence, 'probe-killed').map((exits) => {
    const last = exits.at(-1) ?? exits[0];
    const kills = exits.flatMap((exit) => probeKillOf(exit, evidence) ?? []);
    const own = probeKillOf(last, evidence);
    const probe = own?.probe ?? 'liveness';
    const keys = new Set(exits.map(keyOf));
    const failures = eventsOf(evidence, 'Unhealthy').filter(
      (fact) => keys.has(keyOf(fact)) && fact.message.toLowerCase().startsWith(probe),
    );
    const doubts: readonly Doubt[] = own?.isOwn === false ? [{ code: 'end-without-event', data: {} }] : [];
    const { container, exitCode } = endedOf(exits);
    return exitVerdict(
      evidence,
      'probe-killed',
      exits,
      { container, probe, answer: answerOf(failures.at(-1)), exitCode },
      { facts: [...new Set(kills.map(({ fact }) => fact)), ...failures], doubts },
    );
  });

/** Removes the first words of `Liveness probe failed: HTTP probe failed with statuscode: 503`. */
export function answerOf(fact: Fact | undefined): string | undefined {
  return fact?.message.replace(/^\w+ probe (?:failed|errored)[^:]*: /, '');
}

/**
 * Proof: the node reports a boot at the time when the run ended, and the kubelet knows nothing of the end.
 */
export const nodeRebooted: Rule = (evidence) => {
  const exits = factsOf(evidence, 'exited').filter((exit) => causeOfExit(exit, evidence) === 'node-rebooted');
  return groupsOf(exits, (exit) => nodeOf(evidence, exit.subject) ?? '').map((group) => {
    const boots = group.flatMap((exit) => rebootOf(exit, evidence) ?? []);
    const node = nodeOf(evidence, group[0].subject) ?? '';
    return makeVerdict(evidence, 'node-rebooted', { node }, [...group, ...new Set(boots)] as [
      Fact,
      ...Fact[],
    ]);
  });
};

/**
 * Returns the process in the kernel's report on a node: `Memory cgroup out of memory: Killed process 56036
 * (convert)`.
 */
export function oomProcessOf(fact: Fact): string | undefined {
  return /Killed process \d+ \((.{1,64}?)\)/.exec(fact.message)?.[1];
}

/** Returns processes that the kernel killed on the same node near an end: nothing reports their container. */
function oomsNear(evidence: Evidence, exits: Exits): readonly Doubt[] {
  return eventsOf(evidence, 'OOMKilling').flatMap((fact): readonly Doubt[] => {
    const process = oomProcessOf(fact);
    const isNear = exits.some(
      (exit) =>
        nodeOf(evidence, exit.subject) === fact.subject.name &&
        Math.abs(lastSecond(exit) - lastSecond(fact)) <= OOM_SECONDS,
    );
    if (process === undefined || !isNear) return [];
    return [{ code: 'oom-on-node', data: { process, node: fact.subject.name } }];
  });
}

const OOM_SECONDS = 60;
