import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact } from '../../../domain/facts/fact.ts';
import type { Doubt, Verdict, VerdictCode } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, nodeOf, podOf } from '../evidence.ts';
import { groupsOf } from '../groups-of.ts';
import { earliestOf, isBack, isOfFailedJob, makeVerdict, type Rule } from '../make-verdict.ts';
import { containerOf } from '../pod-now.ts';
import { causeOfExit, rebootOf } from './exit-cause.ts';
import {
  type Exit,
  earlierKillOf,
  isFailedHook,
  type KubeletKill,
  killOf,
  mayHaveDropped,
  probeFailuresOf,
} from './kubelet-kills.ts';
import { nodeOomOf, oomProcessOf, oomsNear } from './out-of-memory.ts';
import { firstSignOf } from './probe-signs.ts';

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
    (fact) => keys.has(keyOf(fact)) && (fact.kind === 'event' ? isRestartDelay(fact) : isBackOff(fact)),
  );
}

/** Whether an event BackOff is about the restart of a container; another is about the pull of an image. */
export function isRestartDelay({ message }: Fact): boolean {
  return message.startsWith('Back-off restarting');
}

const isBackOff = ({ reason }: Fact) => reason === 'CrashLoopBackOff';

function keyOf({ subject: { uid, container } }: Fact): string {
  return `${uid}/${container}`;
}

function doubtsOf(evidence: Evidence, exits: Exits): readonly Doubt[] {
  const known = new Map<string, number>();
  // Ends by another cause are known too.
  for (const exit of factsOf(evidence, 'exited')) known.set(keyOf(exit), (known.get(keyOf(exit)) ?? 0) + 1);
  let restarts = 0;
  for (const [first] of groupsOf(exits, keyOf)) {
    const container = containerOf(podOf(evidence, first.subject), first.subject.container);
    const all = container?.restarts ?? 0;
    // The newest run has ended too unless it runs.
    const ends = container?.isRunning === false ? all + 1 : all;
    if (ends > (known.get(keyOf(first)) ?? 0)) restarts += all;
  }
  return restarts === 0 ? [] : [{ code: 'earlier-ends-unknown', data: { restarts } }];
}

function exitVerdict<C extends VerdictCode>(
  evidence: Evidence,
  code: C,
  exits: Exits,
  data: Parameters<typeof makeVerdict<C>>[2],
  more: {
    readonly facts?: readonly Fact[];
    readonly doubts?: readonly Doubt[];
    readonly since?: Timestamp | undefined;
  } = {},
): Verdict {
  const begun = beginOfCause(evidence, code, exits);
  const backOffs = backOffsOf(evidence, exits).filter(({ at }) => begun === undefined || at.seconds >= begun);
  const facts = [...exits, ...backOffs, ...(more.facts ?? [])] as [Fact, ...Fact[]];
  const ends = endsAlike(evidence, exits);
  const [loop] = begun === undefined ? exits.flatMap((exit) => loopOf(evidence, exit, ends)) : [];
  const doubts = [
    ...(more.doubts ?? []),
    ...killDoubts(evidence, code, exits),
    ...doubtsOf(evidence, exits),
    ...(loop === undefined ? [] : [loop]),
  ];
  const { container } = endedOf(exits);
  const hasFailedJob = exits.some(({ subject }) => isOfFailedJob(evidence, subject));
  const extra = {
    doubts,
    container,
    since: more.since,
    ...(loop === undefined && !hasFailedJob ? {} : { isOver: false }),
    ...(begun === undefined ? {} : { restarts: exits.length }),
  };
  return makeVerdict(evidence, code, data, facts, extra);
}

/** Verdicts on ends of which the kubelet has no part. */
const ANOTHER: readonly VerdictCode[] = ['probe-killed', 'killed-by-kubelet'];

/**
 * Returns the second from which on restarts and back-offs belong to these ends, if the container ended for another
 * cause before; otherwise undefined.
 */
function beginOfCause(evidence: Evidence, code: VerdictCode, exits: Exits): number | undefined {
  const own = new Set<Fact>(exits);
  const keys = new Set(exits.map(keyOf));
  const others = factsOf(evidence, 'exited').filter((exit) => keys.has(keyOf(exit)) && !own.has(exit));
  const hasKill =
    !ANOTHER.includes(code) && exits.some((exit) => earlierKillOf(exit, evidence) !== undefined);
  const isOther = hasKill || others.some((exit) => causeOfExit(exit, evidence) !== code);
  return isOther ? earliestOf(exits).seconds : undefined;
}

/**
 * Returns the doubt that a container which runs again has recovered: it was restarted, and the present run has not
 * lasted much longer than its last one. `ends`: how many are known to be alike.
 */
function loopOf(evidence: Evidence, exit: Exit, ends: number): readonly Doubt[] {
  const { lastedMs } = exit.data;
  const container = containerOf(podOf(evidence, exit.subject), exit.subject.container);
  const begun = container?.runsSince?.seconds;
  if (container?.isRunning !== true || begun === undefined || lastedMs === undefined) return [];
  if (container.restarts === 0 || begun < lastSecond(exit)) return [];
  const runsMs = (evidence.now.seconds - begun) * 1_000;
  if (lastedMs > (container.restarts > 1 ? APART_MS : SHORT_MS)) return [];
  if (runsMs > Math.max(SETTLED_MS, (SETTLED[Math.min(ends, SETTLED.length) - 1] ?? 0) * lastedMs)) return [];
  return [{ code: 'may-end-again', data: { container: container.name, runsMs, lastedMs } }];
}

/** A run of this length is not called short. */
const SETTLED_MS = 60_000;
/** A first end that comes later after the start need not come from it. */
const SHORT_MS = 300_000;
/** Ends further apart are no loop: a question covers this time by default. */
const APART_MS = 3_600_000;
/**
 * How many times as long as its last run the present one must last to count as recovered, after one, two, and three or more
 * ends. The fewer are known, the less they show.
 */
const SETTLED = [0, 1, 1.5] as const;

/** Runs that differ in length by less than this factor are about as long. */
const ALIKE = 1.5;

/**
 * Returns how many ends are alike: the restarts of one container, and of all pods together if their last runs lasted about as
 * long. Pods of different ages that end at once have one common cause, which need not come again.
 */
function endsAlike(evidence: Evidence, exits: Exits): number {
  const ofPods = groupsOf(exits, keyOf).map((own) => own.at(-1) ?? own[0]);
  const restarts = ofPods.map(
    ({ subject }) => containerOf(podOf(evidence, subject), subject.container)?.restarts ?? 0,
  );
  const lasted = ofPods.map(({ data }) => data.lastedMs ?? Number.NaN);
  const areAlike = Math.max(...lasted) <= ALIKE * Math.min(...lasted);
  return Math.max(1, areAlike ? restarts.reduce((sum, count) => sum + count, 0) : Math.max(...restarts));
}

/** Verdicts that a dropped report of the kubelet would change. */
const UNREPORTED: readonly VerdictCode[] = [
  'stopped-by-signal',
  'crashed',
  'ended-without-failure',
  'init-failed',
];

/** Returns the doubt that the kubelet, which ended an earlier run, ended this one too. */
function killDoubts(evidence: Evidence, code: VerdictCode, exits: Exits): readonly Doubt[] {
  const last = exits.at(-1) ?? exits[0];
  const earlier = UNREPORTED.includes(code) ? earlierKillOf(last, evidence) : undefined;
  if (earlier === undefined) return [];
  const isPossible = code === 'stopped-by-signal' || mayHaveDropped(last, evidence);
  return isPossible ? [{ code: 'earlier-kill', data: { message: earlier.message } }] : [];
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
      {
        doubts: [
          { code: 'sender-unknown', data: {} },
          { code: 'code-of-program', data: {} },
          ...oomsNear(evidence, exits),
        ],
      },
    ),
  );

/** Proof: the kubelet's report that its node ran out of memory, in the second of the end. */
export const oomNode: Rule = (evidence) =>
  exitsOf(evidence, 'oom-node').map((exits) => {
    const reports = new Set(exits.flatMap((exit) => nodeOomOf(exit, evidence) ?? []));
    const [report] = reports;
    const process = report && oomProcessOf(report);
    const data = { ...endedOf(exits), node: report?.subject.name ?? '', process };
    return exitVerdict(evidence, 'oom-node', exits, data, {
      facts: [...reports],
      doubts: [{ code: 'oom-names-no-container', data: {} }],
    });
  });

/** Proof: the exit code; its last lines give details. */
export const crashed: Rule = (evidence) =>
  exitsOf(evidence, 'crashed').map((exits) => exitVerdict(evidence, 'crashed', exits, endedOf(exits)));

/** Proof: the exit code 0 and the back-off. */
export const endedWithoutFailure: Rule = (evidence) =>
  exitsOf(evidence, 'ended-without-failure').map((exits) =>
    exitVerdict(evidence, 'ended-without-failure', exits, endedOf(exits)),
  );

/** Proof: the kubelet's event that it kills the container, because a probe failed. */
export const probeKilled: Rule = (evidence) =>
  exitsOf(evidence, 'probe-killed').map((exits) => {
    const last = exits.at(-1) ?? exits[0];
    const own = killOf(last, evidence);
    const probe = own?.probe ?? 'liveness';
    const kills = new Set(exits.flatMap((exit) => killOf(exit, evidence)?.fact ?? []));
    const failures = [...new Set(exits.flatMap((exit) => probeFailuresOf(evidence, exit, probe)))];
    const { container, exitCode } = endedOf(exits);
    return exitVerdict(
      evidence,
      'probe-killed',
      exits,
      { container, probe, answer: answerOf(failures.at(-1)), exitCode },
      {
        facts: [...kills, ...failures],
        doubts: ownDoubts(own),
        since: firstSignOf(evidence, { signs: [...exits, ...kills], failures, container, probe }),
      },
    );
  });

/**
 * Proof: the kubelet's event that it stops the container, with its reason: a definition that was changed, a
 * hook that failed, a sandbox that was replaced.
 */
export const killedByKubelet: Rule = (evidence) =>
  exitsOf(evidence, 'killed-by-kubelet').map((exits) => {
    const kills = new Set(exits.flatMap((exit) => killOf(exit, evidence)?.fact ?? []));
    const kill = killOf(exits.at(-1) ?? exits[0], evidence);
    const reports = kill?.fact === undefined ? [] : reportsNear(evidence, kill.fact);
    const message = reports.at(-1)?.message ?? reasonOf(kill?.fact);
    const { container, exitCode } = endedOf(exits);
    return exitVerdict(
      evidence,
      'killed-by-kubelet',
      exits,
      { container, message, exitCode },
      {
        facts: [...kills, ...reports],
        doubts: [
          ...ownDoubts(kill),
          ...(message === '' ? [{ code: 'kubelet-gives-no-reason', data: {} } as const] : []),
        ],
      },
    );
  });

function ownDoubts(kill: KubeletKill | undefined): readonly Doubt[] {
  if (kill === undefined || kill.isOwn) return [];
  if (kill.fact === undefined) return [{ code: 'kill-without-event', data: {} }];
  return [{ code: 'end-without-event', data: {} }];
}

/** Returns the message of the kubelet's event, if it has a reason. */
function reasonOf(kill: Fact | undefined): string {
  return kill === undefined || kill.message.startsWith('Stopping container') ? '' : kill.message;
}

/** Returns events of the kubelet that tell more of a reason (pkg/kubelet/kuberuntime, startContainer, SyncPod). */
function reportsNear(evidence: Evidence, kill: Fact): readonly Fact[] {
  const hook = isFailedHook(kill);
  if (!hook && reasonOf(kill) !== '') return [];
  return eventsOf(evidence, hook ? 'FailedPostStartHook' : 'SandboxChanged').filter(
    (fact) =>
      fact.subject.uid === kill.subject.uid &&
      (!hook || fact.subject.container === kill.subject.container) &&
      Math.abs(lastSecond(fact) - lastSecond(kill)) <= REPORT_SECONDS,
  );
}

const REPORT_SECONDS = 10;

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
    const proof = [...group, ...new Set(boots)] as [Fact, ...Fact[]];
    const isOver = group.every(({ subject }) => {
      const pod = podOf(evidence, subject);
      return pod === undefined || isBack(evidence, pod, subject.container, group);
    });
    return makeVerdict(evidence, 'node-rebooted', { node }, proof, { isOver });
  });
};
