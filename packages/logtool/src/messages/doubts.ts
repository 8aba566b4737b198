import type { Doubt, DoubtKinds } from '../domain/verdicts/verdict.ts';
import { lengthText } from './facts.ts';
import { countText, listText } from './lists.ts';

const TEXTS: { readonly [C in keyof DoubtKinds]: (data: DoubtKinds[C]) => string } = {
  'events-unreadable': () =>
    'events could not be read: probes, evictions and what was near in time cannot be excluded',
  'nodes-unreadable': () =>
    'nodes could not be read: a node that was lost or short of memory cannot be excluded',
  'workloads-unreadable': () =>
    'workloads could not be read: a rollout or a refusal of pods cannot be excluded',
  'node-events-unreadable': () =>
    'events about nodes could not be read: a boot, or a process that the kernel killed, cannot be excluded',
  'events-cut': ({ from }) =>
    `there are more events than logtool keeps: those before ${from} are not known, and what they report cannot be excluded`,
  'events-expired': () => 'there is no event any more: the cluster keeps most for an hour',
  'lines-unreadable': ({ container, why }) =>
    `the last lines of container ${container} could not be read (${UNREADABLE_REASONS.get(why) ?? why})`,
  'no-lines': ({ container }) => `the log of container ${container} has no line of that run`,
  'earlier-ends-unknown': ({ restarts }) =>
    `of ${countText(restarts, 'restart', 'restarts')} the cluster keeps only the last end: how the earlier runs ended is not known`,
  'kubelet-unread': () =>
    'not all events of that time were read: the kubelet may have ended the container, for a probe for example',
  'sender-unknown': () => 'the cluster does not record who sent the signal',
  'deleter-unknown': () => 'the cluster does not record who deleted them',
  'pods-by-name': ({ names, more }) =>
    `no event names the controller of ${listText({ names, more })}: only the ${names.length + more === 1 ? 'name says' : 'names say'} whose they were`,
  'oom-on-node': ({ process, node }) =>
    `the kernel killed process ${process} on node ${node} within a minute of it: nothing says in which container`,
  'code-of-program': () => 'a program can also end with this code by itself, without a signal',
  'oom-names-no-container': () =>
    'the report of the node names no container: the killed process may be of another one',
  'may-end-again': ({ container, runsMs, lastedMs }) =>
    `container ${container} runs again for ${lengthText(runsMs)}; its last run lived ${lengthText(lastedMs)}, so nothing shows that this is over`,
  'kill-without-event': () =>
    'no event reports that the kubelet killed it: the kubelet drops events that come often, and the program may have ended by itself',
  'end-without-event': () =>
    'the event is of an earlier end; of the last one there is none: the kubelet drops events that come often',
  'earlier-kill': ({ message }) =>
    `the kubelet ended an earlier run (${message}); no event says whether it ended this one too`,
  'probe-answer-old': ({ minutes }) =>
    `the last event of the probe is ${countText(minutes, 'minute', 'minutes')} old: its answer may be another by now`,
  'kubelet-gives-no-reason': () => 'the event of the kubelet does not say why it stopped the container',
  'process-by-name': ({ process }) =>
    `the report names no container: a line of it at that time names process ${process}`,
  'new-is-no-proof': () => 'a line that is new before errors need not be their cause',
  'nothing-new-before': ({ minutes }) =>
    `no line of these containers was new in the ${minutes} minutes before the first error: the logs of other workloads may say more`,
  'too-little-before': () =>
    'the errors begin so early in what was read that no line before them can be called new',
  'kinds-cut': ({ limit, ...names }) =>
    `more than ${limit.toLocaleString('en')} kinds of lines in ${listText(names)}: of further ones it is not known whether they are new`,
  'logs-cut': ({ why, until, ...names }) =>
    `the log of ${listText(names)} was ${until === undefined ? 'not read' : `read only until ${until}`} (${CUT_REASONS.get(why) ?? why})`,
  'logs-read-late': ({ from }) => `the logs are too large: they were read only from ${from} on`,
  'steady-errors': ({ errors, ...names }) =>
    `${errors.toLocaleString('en')} ${errors === 1 ? 'error' : 'errors'} in the log of ${listText(names)}, of which no beginning was read: they may be older`,
};

const UNREADABLE_REASONS: ReadonlyMap<string, string> = new Map([
  ['run-removed', 'the node no longer has the log of that run'],
  ['no-answer', 'the node did not answer in time'],
]);

const CUT_REASONS: ReadonlyMap<string, string> = new Map([
  ['bytes', 'all logs together are too large'],
  ['time', 'it did not come in time'],
]);

/** Returns what a verdict does not know, as one sentence without a full stop. */
export function doubtText({ code, data }: Doubt): string {
  // The table is typed: each code has matching data.
  return (TEXTS[code] as (data: Doubt['data']) => string)(data);
}
