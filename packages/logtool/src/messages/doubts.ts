import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { Doubt, DoubtKinds, RolloutChange } from '../domain/verdicts/verdict.ts';
import { changeText, lengthText } from './facts.ts';
import { countText, listText } from './lists.ts';
import { lackText } from './log-lack.ts';
import { whyText } from './problems.ts';
import { knownText, unknownCodeText } from './unknown-code.ts';

const TEXTS: { readonly [C in keyof DoubtKinds]: (data: DoubtKinds[C]) => string } = {
  'events-unreadable': () =>
    'logtool could not read events: it cannot exclude probes, evictions and what happened near in time',
  'nodes-unreadable': () =>
    'logtool could not read nodes: it cannot exclude a node that was lost or short of memory',
  'pods-unreadable': () =>
    'logtool could not read the pods: it does not know whether this still holds, nor what else is wrong with them',
  'workloads-unreadable': () =>
    'logtool could not read workloads: it cannot exclude a rollout or a refusal of pods',
  'node-events-unreadable': () =>
    'logtool could not read events about nodes: it cannot exclude a boot, or a process that the kernel killed',
  'node-unread': ({ node }) =>
    `logtool could not read node ${node}: it does not know why the node was not ready, nor whether it still is`,
  'events-cut': ({ from }) =>
    `there are more events than logtool keeps: it does not know those before ${from}, and cannot exclude what they report`,
  'events-expired': () => 'no events remain: the cluster keeps most of them for an hour',
  'lines-unreadable': ({ container, why, answer }) =>
    `logtool could not read the last lines of container ${container} (${lackText(why)}${answer === undefined ? '' : `: ${whyText(answer)}`})`,
  'no-lines': ({ container }) => `the log of container ${container} has no line of that run`,
  'earlier-ends-unknown': ({ restarts }) =>
    `after ${countText(restarts, 'restart', 'restarts')}, the cluster keeps only the last end: logtool does not know how the earlier runs ended`,
  'kubelet-unread': () =>
    'logtool did not read all events of that time: the kubelet may have ended the container, for example because of a probe',
  'sender-unknown': () => 'the cluster does not record whether there was a signal, nor who sent it',
  'deleter-unknown': () => 'the cluster does not record who deleted them',
  'pods-by-name': ({ names, more }) =>
    `no event names the controller of ${listText({ names, more })}: logtool matched ${names.length + more === 1 ? 'it' : 'them'} to the workload by name only`,
  'oom-on-node': ({ process, node }) =>
    `the kernel killed process ${process} on node ${node} within a minute of it: logtool does not know in which container`,
  'code-of-program': () => 'a program can also end with this code by itself, without a signal',
  'oom-names-no-container': () =>
    "the node's report names no container: the killed process may belong to another one",
  'may-end-again': ({ container, runsMs, lastedMs }) =>
    `container ${container} has been running again for ${lengthText(runsMs)}; its last run lasted ${lengthText(lastedMs)}, so it may end again`,
  'may-be-evicted-again': ({ times, seconds, lastedSeconds }) =>
    `its replacements were evicted too, ${times} times in all, the last ${lengthText(seconds * 1_000)} ago: those lasted up to ${lengthText(lastedSeconds * 1_000)}, so the present one may be evicted again`,
  'kill-without-event': () =>
    'no event reports that the kubelet killed it: the kubelet drops frequent events, and the program may have ended by itself',
  'end-without-event': () =>
    'the event is about an earlier end, and the last end has none: the kubelet drops frequent events',
  'earlier-kill': ({ message }) =>
    `the kubelet ended an earlier run (${message}); no event says whether it ended this one too`,
  'probe-answer-old': ({ minutes }) =>
    `the last event of the probe is ${countText(minutes, 'minute', 'minutes')} old: its answer may have changed since`,
  'begin-unknown': () =>
    'the cluster does not record when this began: the first known sign is the earliest possible time',
  'failure-old': ({ minutes }) =>
    `the last event of this cause is ${countText(minutes, 'minute', 'minutes')} old: another cause may have replaced it`,
  'before-rollout': ({ what, container, at, ...change }) =>
    `rollout ${changeText(change)} may not be its cause: before it, ${knownText(
      {
        restarted: `container ${container} restarted too (last seen ${at}), and logtool does not know why`,
        'probe-failed': `the probe of container ${container} failed with the same answer (last seen ${at})`,
      },
      what,
    )}`,
  'slow-start-possible': () =>
    'its pods were stopped within minutes of their start: a slow start fails the probe too',
  'ends-unknown': () => 'logtool does not know how its runs ended',
  'events-since': ({ from }) =>
    `the cluster may have removed events from before ${from}: for that time, logtool knows only what statuses report`,
  'logs-begin-late': ({ from, why, answer, ...names }) =>
    `logtool could read the log of ${listText(names)} only from ${from} on: ${lackText(why)}${answerText(answer)}`,
  'logs-missing': ({ why, answer, from, to, ...names }) =>
    `lines of ${listText(names)}${betweenText(from, to)} may be missing: ${lackText(why)}${answerText(answer)}`,
  'kubelet-gives-no-reason': () => "the kubelet's event does not say why it stopped the container",
  'process-by-name': ({ process }) =>
    `the report names no container; a line of this container names process ${process} at that time`,
  'new-is-no-proof': () => 'a line that first appears before errors is not always their cause',
  'nothing-new-before': ({ seconds, ...names }) =>
    `no line of these containers was new in the ${lengthText(seconds * 1_000)} before the first error${names.names.length === 0 ? '' : ` (logtool does not know this of ${listText(names)})`}: the logs of other workloads may say more`,
  'too-little-before': () =>
    'the errors begin soon after the first line that logtool read, so it cannot call any line before them new',
  'kinds-cut': ({ limit, ...names }) =>
    `there are more than ${limit.toLocaleString('en')} kinds of lines in ${listText(names)}: logtool does not know whether further kinds are new`,
  'logs-cut': ({ why, until, ...names }) =>
    `logtool ${until === undefined ? 'did not read' : 'read'} the log of ${listText(names)}${until === undefined ? '' : ` only until ${until}`} (${lackText(why)})`,
  'logs-read-late': ({ from }) =>
    `there is more in the logs than logtool reads in its few seconds: it read them only from ${from} on`,
  'steady-errors': ({ errors, since, until, mayBeOlder, startedAt, rollout, ...names }) =>
    `logtool read ${errors.toLocaleString('en')} ${errors === 1 ? 'error' : 'errors'} in the log of ${listText(names)} ${since === until ? `at ${since}` : `from ${since} to ${until}`}, but ${mayBeOlder ? 'not where they begin: they may be older' : beginText(startedAt, rollout)}`,
  'begun-in-gap': ({ from, ...names }) =>
    `lines of ${listText(names)} just before these errors may be missing: they may have begun earlier${from === undefined ? '' : `, after ${from}`}`,
};

/** Returns what is not known of errors that were read whole. */
function beginText(startedAt: string | undefined, rollout: RolloutChange | undefined): string {
  if (startedAt === undefined) return 'found no time from which on there are more';
  const cause = rollout === undefined ? '' : `with rollout ${changeText(rollout)}, `;
  return `does not know whether they are new: these containers started ${cause}at ${startedAt}, and logtool can read nothing older`;
}

function answerText(answer: Why | undefined): string {
  return answer === undefined ? '' : ` (${whyText(answer)})`;
}

/** Returns ` between A and B`, or what of it is known. */
function betweenText(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return to === undefined ? '' : ` before ${to}`;
  return to === undefined ? ` after ${from}` : ` between ${from} and ${to}`;
}

/** Returns what a verdict does not know, as one sentence without a full stop. */
export function doubtText({ code, data }: Doubt): string {
  // The table is typed: each code has matching data.
  return Object.hasOwn(TEXTS, code)
    ? (TEXTS[code] as (data: Doubt['data']) => string)(data)
    : unknownCodeText(code);
}
