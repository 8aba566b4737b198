import { earliestTime, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { compareFacts, type Fact } from '../../domain/facts/fact.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import type { Verdict } from '../../domain/verdicts/verdict.ts';
import type { WhyPlan } from '../plan/why/why-plan.ts';

/** Lines and facts this long before and after the first sign give context. */
const SECONDS_AROUND = 60;

/**
 * Returns the command that shows lines and facts together, or only the facts of what has no pods: all from shortly before
 * the first sign to shortly after it: without an end and `--all`, a busy log would fill the window before it gets there.
 * If the runs of that time are removed, around the last end. Without any sign, the first errors if it was not read where
 * they begin, else the newest lines.
 */
export function nextCommand(program: string, explanation: Explanation, plan: WhyPlan): string {
  const { subject } = explanation;
  const { context } = plan.connection;
  const wider = widerSource(explanation);
  if (wider !== undefined) return whyCommand(program, wider, plan);
  const given = plan.source.sources.join(' ');
  const source =
    subject === undefined ? given : `${subject.namespace}:${subject.kind.toLowerCase()}/${subject.name}`;
  const isOfEvents = hasNoPods(explanation);
  return [
    program,
    isOfEvents ? 'events' : 'logs',
    quoted(source),
    ...(subject === undefined ? scopeOf(plan) : []),
    ...(context === undefined ? [] : ['--kube-context', quoted(context)]),
    ...(isOfEvents
      ? [`--since ${timeText(plan.query.from)}`]
      : [...windowOf(explanation, plan), '--events all']),
  ].join(' ');
}

/** Without pods there are no logs to read: such a source is an error of `logs`. */
function hasNoPods({ subject, pods: { isUnread, total, ended = 0, deleting = 0 } }: Explanation): boolean {
  return subject !== undefined && isUnread !== true && total + ended + deleting === 0;
}

function windowOf(explanation: Explanation, { query: { from } }: WhyPlan): readonly string[] {
  const sign = keptSign(explanation);
  if (sign === undefined && explanation.logs?.steady?.mayBeOlder === true)
    return [`--since ${timeText(from)}`, '--level error,fatal', '--head=20'];
  const at = sign ?? explanation.also[0]?.since;
  return at === undefined
    ? [`--since ${timeText(from)}`, '--tail=100']
    : [`--since ${timeText(at, -SECONDS_AROUND)}`, `--until ${timeText(at, SECONDS_AROUND)}`, '--all'];
}

/**
 * Returns the first sign; if it is of runs that the node has removed, the last end that a status still reports. The node
 * keeps as many runs as the status (pkg/kubelet/kuberuntime, evictContainers; MaxPerPodContainerCount is 1).
 */
function keptSign({ since, verdicts }: Explanation): Timestamp | undefined {
  if (since === undefined) return undefined;
  const first = verdicts.filter((verdict) => verdict.since.seconds === since.seconds);
  if (first.length > 0 && first.every(isOfJobs)) return firstWithLines(verdicts) ?? since;
  const exits = first.map(({ proof }) => proof.filter(isExit));
  const areGone = exits.every((own) => own.length > 0 && own.every((exit) => beginOf(exit) > since.seconds));
  return (areGone && exits.flat().sort(compareFacts).at(-1)?.at) || since;
}

const isExit = (fact: Fact) => fact.kind === 'exited';

/** Returns when a run began, in whole seconds; if that is unknown, when it ended. */
function beginOf(exit: Fact): number {
  const lastedMs = (exit.kind === 'exited' && exit.data.lastedMs) || 0;
  return exit.at.seconds - Math.floor(lastedMs / 1_000);
}

/** Whether a verdict is on Jobs that have failed: their pods, and so their logs, may be gone. */
function isOfJobs({ code, lines }: Verdict): boolean {
  return lines === undefined && OF_JOBS.includes(code);
}

const OF_JOBS: readonly Verdict['code'][] = ['backoff-limit-exceeded', 'deadline-exceeded'];

/** Returns the first time of which the answer has lines. */
function firstWithLines(verdicts: readonly Verdict[]): Timestamp | undefined {
  const open = verdicts.filter(({ isOver }) => !isOver);
  const times = (open.length > 0 ? open : verdicts).flatMap(({ since, log, lines }) =>
    log === undefined ? (lines?.at ?? []) : since,
  );
  return earliestTime(times);
}

/** Returns all pods of the namespace, if errors begin and nothing new that was read precedes them. */
function widerSource({ subject, verdicts }: Explanation): string | undefined {
  const isOpen = verdicts.some(({ doubts }) =>
    doubts.some(({ code }) => code === 'nothing-new-before' || code === 'too-little-before'),
  );
  return subject === undefined || !isOpen ? undefined : `${subject.namespace}:pods/*`;
}

function whyCommand(program: string, source: string, plan: WhyPlan): string {
  const { context } = plan.connection;
  return [
    program,
    'why',
    quoted(source),
    ...(context === undefined ? [] : ['--kube-context', quoted(context)]),
    `--since ${timeText(plan.query.from)}`,
  ].join(' ');
}

/** Formats a time in whole seconds, moved by some. */
function timeText({ seconds }: Timestamp, moved = 0): string {
  return formatTimestamp({ seconds: seconds + moved, nanos: 0 }).replace('.000000000', '');
}

function scopeOf({ source: { namespaces, allNamespaces, selector } }: WhyPlan): readonly string[] {
  return [
    ...(allNamespaces === true ? ['--all-namespaces'] : []),
    ...(namespaces === undefined || namespaces.length === 0 ? [] : ['-n', quoted(namespaces.join(','))]),
    ...(selector === undefined ? [] : ['-l', quoted(selector)]),
  ];
}

/** Quotes for any shell with single quotes. */
function quoted(text: string): string {
  return /^[\w.,:=@/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
