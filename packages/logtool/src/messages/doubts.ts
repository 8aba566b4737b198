import type { Doubt, DoubtKinds } from '../domain/verdicts/verdict.ts';
import { countText } from './lists.ts';

const TEXTS: { readonly [C in keyof DoubtKinds]: (data: DoubtKinds[C]) => string } = {
  'events-unreadable': () =>
    'events could not be read: probes, evictions and what was near in time cannot be excluded',
  'nodes-unreadable': () =>
    'nodes could not be read: a node that was lost or short of memory cannot be excluded',
  'workloads-unreadable': () =>
    'workloads could not be read: a rollout or a refusal of pods cannot be excluded',
  'events-cut': () => 'there are more events than logtool keeps: of the oldest nothing is known',
  'events-expired': () => 'there is no event any more: the cluster keeps most for an hour',
  'lines-unreadable': ({ container, why }) =>
    `the last lines of container ${container} could not be read (${why})`,
  'no-lines': ({ container }) => `container ${container} wrote no line before it ended`,
  'earlier-ends-unknown': ({ restarts }) =>
    `of ${countText(restarts, 'restart', 'restarts')} the cluster keeps only the last end: how the earlier runs ended is not known`,
  'sender-unknown': () => 'the cluster does not record who sent the signal',
  'deleter-unknown': () => 'the cluster does not record who deleted them',
  'oom-on-node': ({ process, node }) =>
    `the kernel killed process ${process} on node ${node} within a minute of it: nothing says in which container`,
  'end-without-event': () => 'the last end has no event of its own: the kubelet drops events that come often',
  'process-by-name': ({ process }) =>
    `the report names no container: a line of it at that time names process ${process}`,
};

/** What a verdict does not know, in one sentence without an end. */
export function doubtText({ code, data }: Doubt): string {
  // The table is typed: what has the code has its data.
  return (TEXTS[code] as (data: Doubt['data']) => string)(data);
}
