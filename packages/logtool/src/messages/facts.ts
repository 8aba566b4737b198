import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactKind, FactKinds, FactOf, FactSubject, ImageChange } from '../domain/facts/fact.ts';
import { unknownCodeText } from './unknown-code.ts';

/** The text of one kind of fact, after the brackets and the name of its subject. */
type FactTexts = { readonly [K in FactKind]: (fact: FactOf<K>) => string };

const TEXTS: FactTexts = {
  started: ({ data }) => `started${ofImage(data.image)}`,
  restarted: ({ data }) =>
    `restarted (${ordinal(data.restarts)} time)${data.afterMs === undefined ? '' : ` after ${lengthText(data.afterMs)}`}`,
  exited: (fact) => `${exitText(fact.data)}${because(terminationText(fact))}`,
  waiting: ({ data, message }) => `waiting${ofImage(data.image)}${because(message)}`,
  ready: () => 'ready',
  'not-ready': ({ message }) => `not ready${because(message)}`,
  scheduled: ({ data }) => `scheduled${data.node === undefined ? '' : ` to node ${data.node}`}`,
  unschedulable: ({ message }) => `not scheduled${because(message)}`,
  evicted: ({ data, message }) => `evicted${fromNode(data.node)}${because(message)}`,
  preempted: ({ data, message }) => `preempted${fromNode(data.node)}${because(message)}`,
  deleted: ({ data: { graceSeconds, by } }) =>
    `deletion requested${by === undefined ? '' : ` by ${deleterText(by)}`}${graceSeconds === undefined ? '' : `, grace period ${graceSeconds} s`}`,
  failed: ({ message }) => `failed${because(message)}`,
  rollout: ({ data }) => rolloutText(data),
  paused: ({ subject: { kind }, data: { updated, replicas } }) =>
    `${kind === 'CronJob' ? 'suspended' : 'paused'}${updated === undefined ? '' : `, ${updated} of ${replicas} pods have its current template`}`,
  'workload-condition': ({ data, message }) => `condition ${data.type}=${data.status}${because(message)}`,
  'node-condition': ({ data, message }) => `condition ${data.type}=${data.status}${because(message)}`,
  'node-taint': ({ data }) => `tainted ${data.key}:${data.effect}`,
  'node-rebooted': () => 'rebooted',
  'node-clock': ({ data: { offsetMs } }) =>
    `clock at least ${lengthText(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead of' : 'behind'} the API server's`,
  event: ({ message }) => message,
};

/** https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions */
const DELETERS: ReadonlyMap<string, string> = new Map([
  ['EvictionByEvictionAPI', 'the eviction API'],
  ['DeletionByTaintManager', 'the taint manager'],
  ['DeletionByPodGC', 'the garbage collector of pods'],
  ['PreemptionByScheduler', 'the scheduler, for a pod of higher priority'],
]);

/** Names who requested a deletion (FactKinds.deleted). */
export function deleterText(by: string): string {
  return DELETERS.get(by) ?? by;
}

/** Labels in brackets for facts without a reason from the cluster. */
const LABELS: Readonly<Partial<Record<FactKind, string>>> = {
  started: 'Started',
  restarted: 'Restarted',
  ready: 'Ready',
  scheduled: 'Scheduled',
  deleted: 'Deleted',
  rollout: 'Rollout',
  paused: 'Paused',
  'node-taint': 'Taint',
  'node-rebooted': 'Rebooted',
  'node-clock': 'Clock',
};

/** Returns the cluster's reason for a fact, else our own label. */
export function factLabel({ kind, reason }: Pick<Fact, 'kind' | 'reason'>): string {
  return reason || (LABELS[kind] ?? kind);
}

/** Returns what happened, without the subject: `exited 137, limit 256Mi`. */
export function factText(fact: Fact): string {
  // The table is typed: each kind has matching data.
  const textOf = Object.hasOwn(TEXTS, fact.kind) ? (TEXTS[fact.kind] as (fact: Fact) => string) : newerText;
  const text = textOf(fact) + seriesText(fact);
  return fact.bound === undefined ? text : `${text} (then or later)`;
}

function newerText({ kind, message }: Fact): string {
  return unknownCodeText(kind) + because(message);
}

function seriesText({ count, at, until, since }: Fact): string {
  // A cluster may report an event that it counted once at two times.
  if (until !== undefined)
    return count === 1 ? `, last reported ${secondsText(until)}` : ` (x${count} since ${secondsText(at)})`;
  return since === undefined ? '' : `, started ${count} times since ${secondsText(since)}`;
}

function secondsText(time: Timestamp): string {
  return `${formatTimestamp(time).slice(0, 19)}Z`;
}

/** Returns `[OOMKilled] web-7 app exited 137, limit 256Mi`. */
export function factLine(fact: Fact): string {
  return `[${factLabel(fact)}] ${nameOf(fact.subject)} ${factText(fact)}`;
}

/** Returns the name of a pod, as in all other output; other objects get their kind as a prefix. */
function nameOf({ kind, name, container }: FactSubject): string {
  const whole = kind === 'Pod' ? name : `${kind.toLowerCase()}/${name}`;
  return container === undefined ? whole : `${whole} ${container}`;
}

function exitText({ exitCode, signal, memoryLimit, lastedMs, isInit }: FactKinds['exited']): string {
  return [
    `${isInit ? 'init container ' : ''}exited ${exitCode}`,
    signal === undefined ? '' : `signal ${signal}`,
    // A limit explains an end only if something killed the container.
    memoryLimit === undefined || exitCode !== 137 ? '' : `limit ${memoryLimit}`,
    lastedMs === undefined ? '' : `after ${lengthText(lastedMs)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Maximum characters of a container's termination message; Kubernetes keeps 4,096 bytes. */
const MAX_TERMINATION = 300;

/**
 * Returns what a container wrote to its termination message, or the runtime about its end, as one bounded line; empty
 * without one: https://kubernetes.io/docs/tasks/debug/debug-application/determine-reason-pod-failure/
 */
export function terminationText({ message }: Pick<Fact, 'message'>): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_TERMINATION ? `${line.slice(0, MAX_TERMINATION)}...` : line;
}

function rolloutText({ revision, images, replicas, isOver, lastedMs }: FactKinds['rollout']): string {
  const changes = images.map(imageText).join(', ');
  const wanted = replicas === undefined ? '' : `, ${replicas} replicas`;
  return `revision ${revision}${changes === '' ? '' : `: ${changes}`}${wanted}${rolloutEndText({ isOver, lastedMs })}`;
}

/** Returns `, done after 25 s`, as far as the cluster reports it; empty while the rollout continues. */
export function rolloutEndText({
  isOver,
  lastedMs,
}: Pick<FactKinds['rollout'], 'isOver' | 'lastedMs'>): string {
  if (isOver !== true) return '';
  return lastedMs === undefined ? ', done' : `, done after ${lengthText(lastedMs)}`;
}

/** Names a rollout by what it changed, as far as images show it: `app v41 -> v42`, else `revision 7`. */
export function changeText({ images, revision }: Pick<FactKinds['rollout'], 'images' | 'revision'>): string {
  return images.length === 0 ? `revision ${revision}` : images.map(imageText).join(', ');
}

export function imageText({ container, from, to }: ImageChange): string {
  if (from === undefined) return `${container} ${to}`;
  return to === undefined ? `${container} removed` : `${container} ${from} -> ${to}`;
}

function ofImage(image: string | undefined): string {
  return image === undefined ? '' : `, image ${image}`;
}

function fromNode(node: string | undefined): string {
  return node === undefined ? '' : ` from node ${node}`;
}

function because(message: string): string {
  return message === '' ? '' : `: ${message}`;
}

const SECOND_MS = 1_000;

/** Returns `41 s`, `2 m 5 s`, `3 h 12 m`: at most two units. */
export function lengthText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND_MS));
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  const shown = units.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

export function ordinal(count: number): string {
  const teen = count % 100 >= 11 && count % 100 <= 13;
  return `${count}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th')}`;
}
