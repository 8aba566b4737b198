import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Fact, FactSubject } from '../../domain/facts/fact.ts';
import type { Explanation, ReadLogs } from '../../domain/verdicts/explanation.ts';
import type { Doubt, Verdict } from '../../domain/verdicts/verdict.ts';
import type { FoundObject, Resolve, SourcePlan } from '../../resolve/resolve.ts';
import { NODE_NAMESPACE } from '../event-reader.ts';
import { replicasOf, subjectOf } from '../facts-of-workload.ts';
import { type FactsFrame, readFacts } from '../read-facts.ts';
import { areAllPods } from '../scaled-away.ts';
import { byWorkload } from './by-workload.ts';
import { combine } from './combine.ts';
import type { Evidence, MissingEvents } from './evidence.ts';
import { judge } from './judge.ts';
import { findErrors, type LogErrors, type SteadyErrors } from './logs/find-errors.ts';
import { logDoubts, readLogsOf } from './logs/log-doubts.ts';
import { readDigests } from './logs/read-digests.ts';
import { byImportance } from './logs/read-order.ts';
import { withOwnUids } from './own-uids.ts';
import { readPodNow } from './pod-now.ts';
import { type ReadLog, readLines } from './read-lines.ts';
import { lastRollout } from './rollout-before.ts';
import { wantedLines } from './wanted-lines.ts';

export interface ExplainContext {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  readonly resolve: Resolve;
  readonly readLog: ReadLog;
  /** Measures the time that reading logs may take. */
  readonly clock: Clock;
}

/** Failures that mean that all was read, and that there is no pod. */
const NO_PODS: readonly string[] = ['no-pods', 'filter-leaves-none'];

/** Whether a source has no pods now; its workload still has a past: quota and admission reject pods before they exist. */
export function leavesNoPods({ code }: CodedError): boolean {
  return NO_PODS.includes(code);
}

export interface ExplainQuery {
  /** Omits what ended earlier. */
  readonly since: Timestamp;
  readonly now: Timestamp;
}

export interface Explained {
  readonly explanation: Explanation;
  /** What prevented some facts from being read. */
  readonly notices: readonly Extract<FactsFrame, { readonly type: 'notice' }>[];
  /** Why the source leads to nothing. */
  readonly failures: readonly CodedError[];
}

/**
 * Explains the state of a source: reads its facts once, then the last lines of containers in trouble; the
 * rules judge them, each of several workloads separately. If the facts of a workload show no current trouble, or not why it
 * is there, reads the logs of all containers to see whether errors begin in them. Throws usage errors of the plan, and
 * the signal's reason.
 */
export async function explainSource(
  context: ExplainContext,
  plan: SourcePlan,
  query: ExplainQuery,
): Promise<Explained> {
  const found = new Found(context.resolve, plan.confinedTo);
  for await (const frame of readFacts({ ...context, resolve: found.resolve }, plan, { follow: false }))
    found.take(frame);
  context.signal.throwIfAborted();
  return {
    explanation: await explain(context, found, { ...query, hasAllPods: areAllPods(plan) }),
    notices: found.notices,
    failures: found.failures,
  };
}

async function explain(
  context: ExplainContext,
  found: Found,
  { hasAllPods, ...query }: ExplainQuery & { readonly hasAllPods: boolean },
): Promise<Explanation> {
  const { since, now } = query;
  const { targets } = found;
  const evidence: Evidence = { ...found.evidence(now), lines: new Map(), errors: [], now };
  const several = byWorkload(evidence, found.workloads, targets);
  const sections = isOfWorkloads(evidence, several, hasAllPods) ? several : [evidence];
  const first = sections.map((section) => judge(section, since));
  const verdicts = first.flatMap((each) => each.verdicts);
  const wanted = wantedLines(evidence, verdicts, targets);
  const calm = new Set(sections.filter((section, index) => isCalm(section, first[index])));
  // Neither waits for a node that does not answer the other.
  const [lines, logs] = await Promise.all([
    readLines(wanted, context.readLog, context),
    calm.size === 0 ? undefined : readErrors(context, evidence, targets, query),
  ]);
  const judged = sections.map((section, index) => {
    const pods = new Set(section.pods.map(({ subject }) => subject.uid));
    const isOwn = (own: readonly ContainerTarget[]) => own.some(({ podUid }) => pods.has(podUid));
    const errors = logs?.begun.filter((each) => calm.has(section) && isOwn(each.targets)) ?? [];
    // If the facts explain past trouble, past errors belong to it.
    const isExplained = first[index]?.verdicts.length !== 0;
    const kept = isExplained ? errors.filter(({ isOver }) => !isOver) : errors;
    return judge({ ...section, lines, errors: kept }, since);
  });
  const [only] = judged;
  const all = judged.length === 1 && only !== undefined ? only : combine(judged, since);
  return {
    ...all,
    logs: logs && readIn(logs, sections, judged),
    doubts: [...all.doubts, ...(logs?.doubts ?? [])],
  };
}

/**
 * Whether to explain each workload, also a single one: without pods only facts name it, all pods of a namespace are those of
 * its workloads, and Jobs are those of their CronJob.
 */
function isOfWorkloads(evidence: Evidence, several: readonly Evidence[], hasAllPods: boolean): boolean {
  const [first, ...more] = several;
  if (first === undefined || more.length > 0) return first !== undefined;
  const isUnnamed = evidence.subject === undefined && evidence.pods.length === 0;
  const { kind = '', uid = '' } = first.subject ?? {};
  // Without permission to read it, a Deployment is known by the name of its ReplicaSets, which is that of none.
  if (kind === 'ReplicaSet' && uid === '') return isUnnamed;
  return isUnnamed || hasAllPods || (evidence.subject === undefined && kind === 'CronJob');
}

/** Returns what was read of the logs; beside workloads with a problem, of the logs of the others. */
function readIn(logs: FoundInLogs, sections: readonly Evidence[], judged: readonly Explanation[]): ReadLogs {
  const healthy = sections.filter((_, index) => isWell(judged[index]));
  const pods = new Set(
    (healthy.length > 0 ? healthy : sections).flatMap((section) =>
      section.pods.map(({ subject }) => subject.uid),
    ),
  );
  return logs.readOf(({ podUid }) => pods.has(podUid));
}

/** Whether the facts show no current trouble, or not why it is there, and there are pods whose logs could report it. */
function isCalm({ pods }: Evidence, judged: Explanation | undefined): boolean {
  const isOther = ({ isOver, code }: Verdict) => isOver || CALM.includes(code);
  return judged?.verdicts.every(isOther) === true && pods.length > 0;
}

/**
 * These leave pods running: whether they do their work, and why their probe fails, shows only in their logs. A rollout that
 * stands still waits for such pods.
 */
const CALM: readonly Verdict['code'][] = [
  'autoscaler-failing',
  'cronjob-suspended',
  'probe-failing',
  'rollout-paused',
  'rollout-stuck',
  'rollout-waits',
];

function isWell(judged: Explanation | undefined): boolean {
  return judged?.outcome === 'healthy' && judged.verdicts.length === 0;
}

interface FoundInLogs {
  readonly begun: readonly LogErrors[];
  readonly doubts: readonly Doubt[];
  /** Returns what was read of the logs of some containers. */
  readonly readOf: (isOwn: (target: ContainerTarget) => boolean) => ReadLogs;
}

/** Finds errors that begin in the logs, and reports what was read. */
async function readErrors(
  context: ExplainContext,
  evidence: Evidence,
  targets: readonly ContainerTarget[],
  { since, now }: ExplainQuery,
): Promise<FoundInLogs> {
  const { pods } = evidence;
  const created = new Map(
    pods.flatMap(({ subject, createdAt }) =>
      createdAt === undefined ? [] : [[subject.uid, createdAt] as const],
    ),
  );
  const read = await readDigests(byImportance(targets, pods), { from: since, to: now }, context);
  const { begun, steady: found } = findErrors(read.digests, read.from, now);
  const steady = found.map((each) => ({ ...each, ...rolloutWith(evidence, each) }));
  return {
    begun,
    readOf: (isOwn) => readLogsOf(read, now, { created, steady, isOwn }),
    doubts: logDoubts(read, since, steady),
  };
}

/** How long after the begin of a rollout its first containers start, s: the nodes pull its images. */
const START_SECONDS = 600;

/** Returns the rollout with which the containers of errors started. */
function rolloutWith(evidence: Evidence, { targets: [{ namespace, workload }], startedAt }: SteadyErrors) {
  if (startedAt === undefined || workload === undefined) return {};
  const isOwn = (subject: FactSubject) => subject.namespace === namespace && subject.name === workload.name;
  // Both times are whole seconds.
  const rollout = lastRollout(evidence, startedAt.seconds + 1, isOwn);
  if (rollout === undefined || startedAt.seconds - rollout.at.seconds > START_SECONDS) return {};
  const { revision, images } = rollout.data;
  return { rollout: { revision, images } };
}

/** Collects what a resolution and its facts yield. */
class Found {
  readonly #facts = new Map<string, Fact>();
  readonly #pods = new Map<string, KubeObject>();
  readonly #others = new Map<string, { readonly type: ResourceType; readonly object: KubeObject }>();
  readonly #targets = new Map<string, ContainerTarget>();
  readonly #unread = new Set<'workloads' | 'nodes' | 'autoscalers'>();
  readonly #unreadEvents: (string | undefined)[] = [];
  readonly #cutEvents: string[] = [];
  #eventsSince: Timestamp | undefined;
  readonly notices: Extract<FactsFrame, { readonly type: 'notice' }>[] = [];
  readonly failures: CodedError[] = [];
  /** A resolution that records its objects and containers. */
  readonly resolve: Resolve;

  /** The only namespaces that may be read: events of nodes may be in none of them. */
  readonly #confinedTo: readonly string[] | undefined;

  constructor(resolve: Resolve, confinedTo: readonly string[] | undefined) {
    this.#confinedTo = confinedTo;
    const see = (found: FoundObject) => this.#see(found);
    const targets = this.#targets;
    this.resolve = async function* (client, plan, options) {
      const onObject = (found: FoundObject) => {
        see(found);
        options.onObject?.(found);
      };
      for await (const event of resolve(client, plan, { ...options, onObject })) {
        if (event.type === 'added' || event.type === 'changed') targets.set(event.target.id, event.target);
        yield event;
      }
    };
  }

  get targets(): readonly ContainerTarget[] {
    return [...this.#targets.values()];
  }

  /** Returns the workloads that the source names, without those that belong to another one, but the CronJobs of Jobs. */
  get workloads(): readonly FactSubject[] {
    const found = [...this.#others.values()].flatMap(({ type, object }) => {
      const subject = subjectOf(type.kind, object);
      const owners = object.metadata.ownerReferences ?? [];
      if (owners.some(({ kind }) => kind === 'Deployment')) return [];
      const cronJob = owners.find(({ kind }) => kind === 'CronJob');
      return cronJob === undefined
        ? subject
        : { ...subject, kind: 'CronJob', name: cronJob.name, uid: cronJob.uid };
    });
    return [...new Map(found.map((subject) => [subject.uid, subject])).values()];
  }

  take(frame: FactsFrame): void {
    if (frame.type === 'facts') for (const fact of frame.facts) this.#facts.set(fact.id, fact);
    if (frame.type === 'failed') this.failures.push(frame.error);
    if (frame.type === 'read') this.#eventsSince = frame.eventsSince;
    if (frame.type !== 'notice') return;
    this.notices.push(frame);
    if (frame.code === 'facts-confined') this.#seeConfined();
    if (frame.code === 'facts-cut') this.#cutEvents.push(frame.data.namespace);
    if (frame.code !== 'facts-forbidden' && frame.code !== 'facts-unreadable') return;
    const { of, namespace } = frame.data;
    if (of === 'events') this.#unreadEvents.push(namespace);
    else this.#unread.add(of);
  }

  #seeConfined(): void {
    this.#unread.add('nodes');
    if (this.#confinedTo?.includes(NODE_NAMESPACE) === false) this.#unreadEvents.push(NODE_NAMESPACE);
  }

  get #missingEvents(): readonly MissingEvents[] {
    const from = this.#eventsSince;
    return [
      ...this.#unreadEvents.map((namespace) => ({ why: 'unread', namespace }) as const),
      ...(from === undefined
        ? []
        : this.#cutEvents.map((namespace) => ({ why: 'cut', namespace, from }) as const)),
    ];
  }

  /** A workload was found, and none of its pods because something could not be read. */
  get #arePodsUnread(): boolean {
    const isUnread = this.failures.some((error) => !leavesNoPods(error));
    return isUnread && this.#pods.size === 0 && this.#others.size > 0;
  }

  evidence(now: Timestamp): Omit<Evidence, 'lines' | 'errors' | 'now'> {
    return {
      facts: withOwnUids([...this.#facts.values()], this.#pods.values()),
      pods: [...this.#pods.values()].map((pod) => readPodNow(pod, now)),
      unread: this.#arePodsUnread ? new Set([...this.#unread, 'pods']) : this.#unread,
      missingEvents: this.#missingEvents,
      eventsSince: this.#eventsSince,
      wanted: new Map(
        [...this.#others.values()].flatMap(({ type, object }) => {
          const wanted = replicasOf(type.kind, object);
          return wanted === undefined ? [] : [[object.metadata.uid, wanted] as const];
        }),
      ),
      subject: this.#subject(),
    };
  }

  /** Returns the workload, else the pod, if there is exactly one. */
  #subject(): FactSubject | undefined {
    const [other, ...more] = this.#others.values();
    if (other !== undefined) return more.length === 0 ? subjectOf(other.type.kind, other.object) : undefined;
    const [pod, ...others] = this.#pods.values();
    return pod === undefined || others.length > 0 ? undefined : subjectOf('Pod', pod);
  }

  #see({ type, object, isGone }: FoundObject): void {
    const { uid } = object.metadata;
    const kept = type.plural === PODS.plural && type.group === PODS.group ? this.#pods : this.#others;
    if (isGone) kept.delete(uid);
    else if (kept === this.#pods) this.#pods.set(uid, object);
    else this.#others.set(uid, { type, object });
  }
}
