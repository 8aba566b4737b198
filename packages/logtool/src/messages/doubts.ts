import type { Doubt, DoubtKinds } from '../domain/verdicts/verdict.ts';
import { lengthText } from './facts.ts';
import { countText, listText } from './lists.ts';

const TEXTS: { readonly [C in keyof DoubtKinds]: (data: DoubtKinds[C]) => string } = {
  'events-unreadable': () =>
    'logtool could not read events: it cannot exclude probes, evictions and what happened near in time',
  'nodes-unreadable': () =>
    'logtool could not read nodes: it cannot exclude a node that was lost or short of memory',
  'workloads-unreadable': () =>
    'logtool could not read workloads: it cannot exclude a rollout or a refusal of pods',
  'node-events-unreadable': () =>
    'logtool could not read events about nodes: it cannot exclude a boot, or a process that the kernel killed',
  'events-cut': ({ from }) =>
    `there are more events than logtool keeps: it does not know those before ${from}, and cannot exclude what they report`,
  'events-expired': () => 'no events remain: the cluster keeps most of them for an hour',
  'lines-unreadable': ({ container, why }) =>
    `logtool could not read the last lines of container ${container} (${reasonText(why)})`,
  'no-lines': ({ container }) => `the log of container ${container} has no line of that run`,
  'earlier-ends-unknown': ({ restarts }) =>
    `after ${countText(restarts, 'restart', 'restarts')}, the cluster keeps only the last end: logtool does not know how the earlier runs ended`,
  'kubelet-unread': () =>
    'logtool did not read all events of that time: the kubelet may have ended the container, for example because of a probe',
  'sender-unknown': () => 'the cluster does not record who sent the signal',
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
  'kill-without-event': () =>
    'no event reports that the kubelet killed it: the kubelet drops frequent events, and the program may have ended by itself',
  'end-without-event': () =>
    'the event is about an earlier end, and the last end has none: the kubelet drops frequent events',
  'earlier-kill': ({ message }) =>
    `the kubelet ended an earlier run (${message}); no event says whether it ended this one too`,
  'probe-answer-old': ({ minutes }) =>
    `the last event of the probe is ${countText(minutes, 'minute', 'minutes')} old: its answer may have changed since`,
  'failure-old': ({ minutes }) =>
    `the last event of this cause is ${countText(minutes, 'minute', 'minutes')} old: another cause may have replaced it`,
  'ends-unknown': () => 'logtool does not know how its runs ended',
  'events-since': ({ from }) =>
    `the cluster has events only from ${from} on: for the time before, logtool knows only what statuses report`,
  'logs-begin-late': ({ from, why, ...names }) =>
    `logtool could read the log of ${listText(names)} only from ${from} on: ${reasonText(why)}`,
  'logs-missing': ({ why, ...names }) => `lines of ${listText(names)} are missing: ${reasonText(why)}`,
  'kubelet-gives-no-reason': () => "the kubelet's event does not say why it stopped the container",
  'process-by-name': ({ process }) =>
    `the report names no container; a line of this container names process ${process} at that time`,
  'new-is-no-proof': () => 'a line that is new before errors need not be their cause',
  'nothing-new-before': ({ minutes }) =>
    `no line of these containers was new in the ${minutes} minutes before the first error: the logs of other workloads may say more`,
  'too-little-before': () =>
    'the errors begin so early in what logtool read that it cannot call any line before them new',
  'kinds-cut': ({ limit, ...names }) =>
    `there are more than ${limit.toLocaleString('en')} kinds of lines in ${listText(names)}: logtool does not know whether further kinds are new`,
  'logs-cut': ({ why, until, ...names }) =>
    `logtool ${until === undefined ? 'did not read' : 'read'} the log of ${listText(names)}${until === undefined ? '' : ` only until ${until}`} (${reasonText(why)})`,
  'logs-read-late': ({ from }) => `the logs are too large: logtool read them only from ${from} on`,
  'steady-errors': ({ errors, ...names }) =>
    `logtool read ${errors.toLocaleString('en')} ${errors === 1 ? 'error' : 'errors'} in the log of ${listText(names)}, but not where they begin: they may be older`,
};

/** Why a log, or a part of it, could not be read: the budget, or a code of the engine or of the client. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['bytes', 'all logs together are too large'],
  ['time', 'it did not arrive in time'],
  ['run-removed', 'the node no longer has the log of that run'],
  ['run-lost', 'the node no longer has the log of that run'],
  ['runs-gone', 'the node no longer has the logs of earlier runs'],
  ['restarted-twice', 'the node no longer has the logs of earlier runs'],
  ['rotated', 'the node has removed earlier lines'],
  ['begins-late', 'the node may have removed earlier lines'],
  ['run-begins-late', 'the node may have removed earlier lines of that run'],
  ['pod-deleted', 'its pod was deleted'],
  ['previous-unreadable', 'logtool could not read the log of its previous run'],
  ['log-gone', 'the node no longer serves it'],
  ['end-unread', 'the read ended before its end'],
  ['waiting', 'the container has not started'],
  ['left', 'its pod was deleted'],
  ['no-answer', 'the node did not answer in time'],
  ['forbidden', 'you lack permission to get its log'],
  ['not-found', 'its pod or container no longer exists'],
  ['too-many-requests', 'the API server takes no more requests'],
  ['server-error', 'the API server or the node failed'],
]);

/** Codes are not for people: an unknown one only says that the read failed. */
function reasonText(code: string): string {
  return REASONS.get(code) ?? 'the read failed';
}

/** Returns what a verdict does not know, as one sentence without a full stop. */
export function doubtText({ code, data }: Doubt): string {
  // The table is typed: each code has matching data.
  return (TEXTS[code] as (data: Doubt['data']) => string)(data);
}
