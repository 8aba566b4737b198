import type { ContainerTarget, Workload } from '../../domain/container.ts';
import { type Fact, type FactSubject, isAtLeast } from '../../domain/facts/fact.ts';
import type { Evidence } from './evidence.ts';
import type { PodNow } from './pod-now.ts';

/** The part of the evidence about one workload, or one pod without an owner. */
export interface WorkloadEvidence extends Evidence {
  readonly subject: FactSubject;
  /** Its containers. */
  readonly targets: readonly ContainerTarget[];
}

/** Kinds that own pods. A ReplicaSet may belong to a Deployment, which its name starts with. */
const KINDS: readonly string[] = [
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'ReplicationController',
];

/**
 * Splits evidence of several workloads into one part for each. Facts about a node belong to the workloads
 * with pods on it, and facts about a deleted pod to the workload that its name comes from. A workload that is known by
 * facts alone, such as a Job that is gone or a Deployment whose pods are refused, has a part of its own. Facts about
 * other objects, such as a quota, belong to all.
 */
export function byWorkload(
  evidence: Evidence,
  workloads: readonly FactSubject[],
  targets: readonly ContainerTarget[],
): readonly WorkloadEvidence[] {
  const sections = new Sections();
  for (const subject of workloads) if (KINDS.includes(subject.kind)) sections.add(subject);
  for (const { kind, subject } of evidence.facts) {
    if (subject.kind === 'Deployment') sections.rename(subject);
    // Suspended, and known only as the owner of Jobs: they are its own.
    if (subject.kind === 'CronJob' && kind === 'paused') sections.add(subject);
  }
  const failing = evidence.facts.filter((fact) => isAtLeast(fact, 'warning')).map(({ subject }) => subject);
  for (const subject of failing) sections.addCronJobOf(subject);
  for (const pod of evidence.pods) sections.addPod(pod);
  for (const subject of failing) if (KINDS.includes(subject.kind)) sections.addUnowned(subject);
  return sections.all.map(({ subject, pods }) => {
    const uids = new Set(pods.map((pod) => pod.subject.uid));
    const nodes = new Set(pods.flatMap(({ node }) => node ?? []));
    const isOwn = (fact: Fact) => {
      const owner = sections.ownerOf(fact.subject);
      if (fact.subject.kind === 'Node') return nodes.has(fact.subject.name);
      // The trouble of a pod that is gone, and of none of these workloads, is not theirs.
      if (owner === undefined) return fact.subject.kind !== 'Pod' || !isAtLeast(fact, 'warning');
      return owner === keyOf(subject);
    };
    return {
      ...evidence,
      facts: evidence.facts.filter(isOwn),
      pods,
      subject,
      targets: targets.filter(({ podUid }) => uids.has(podUid)),
    };
  });
}

interface Section {
  subject: FactSubject;
  readonly pods: PodNow[];
}

class Sections {
  readonly #sections = new Map<string, Section>();
  readonly #ofPod = new Map<string, string>();

  get all(): readonly Section[] {
    return [...this.#sections.values()];
  }

  add(subject: FactSubject): Section {
    const key = keyOf(subject);
    const known = this.#sections.get(key);
    if (known !== undefined) {
      if (known.subject.kind === 'ReplicaSet') known.subject = subject;
      return known;
    }
    const section = { subject, pods: [] };
    this.#sections.set(key, section);
    return section;
  }

  /** Registers a Deployment as the owner of its ReplicaSets. */
  rename(subject: FactSubject): void {
    this.#deployments.set(keyOf(subject), subject);
  }

  readonly #deployments = new Map<string, FactSubject>();

  addPod(pod: PodNow): void {
    const subject = workloadSubject(pod.subject, pod.workload);
    const section = this.add(this.#deployments.get(keyOf(subject)) ?? this.#cronJobOf(subject) ?? subject);
    section.pods.push(pod);
    this.#ofPod.set(pod.subject.uid, keyOf(section.subject));
  }

  /** Adds the CronJob of a Job: its Jobs are one workload. */
  addCronJobOf(subject: FactSubject): void {
    const name = cronJobOf(subject);
    const isKnown = name === undefined || this.#sections.has(keyOf(subject));
    if (!isKnown) this.add({ ...subject, kind: 'CronJob', name, uid: '' });
  }

  /** Adds a workload that no section has yet. */
  addUnowned(subject: FactSubject): void {
    if (this.ownerOf(subject) !== undefined) return;
    const deployment = [...this.#deployments.values()].find(
      ({ namespace, name }) => namespace === subject.namespace && isNamedAfter(subject, name),
    );
    this.add(deployment ?? subject);
  }

  /** Returns the CronJob of a Job, if it has a section. */
  #cronJobOf(subject: FactSubject): FactSubject | undefined {
    return this.#sections.get(`CronJob ${subject.namespace}/${cronJobOf(subject)}`)?.subject;
  }

  /** Returns the key of the workload that an object belongs to. */
  ownerOf(subject: FactSubject): string | undefined {
    if (this.#sections.has(keyOf(subject))) return keyOf(subject);
    const ofPod = this.#ofPod.get(subject.uid);
    if (ofPod !== undefined) return ofPod;
    if (subject.kind === 'Node') return undefined;
    // The longest matching name is the workload's.
    const owners = [...this.#sections].filter(
      ([, section]) =>
        section.subject.namespace === subject.namespace && isNamedAfter(subject, section.subject.name),
    );
    return owners.sort(([, a], [, b]) => b.subject.name.length - a.subject.name.length)[0]?.[0];
  }
}

/**
 * Returns the name of the CronJob that makes Jobs of such names: after itself and the minutes since the epoch
 * (pkg/controller/cronjob, getJobName).
 */
function cronJobOf({ kind, name }: FactSubject): string | undefined {
  return kind === 'Job' ? /^(.+)-\d{8,}$/.exec(name)?.[1] : undefined;
}

/** Controllers name their objects after themselves. */
function isNamedAfter({ name }: FactSubject, owner: string): boolean {
  return name === owner || name.startsWith(`${owner}-`);
}

function workloadSubject(pod: FactSubject, workload: Workload | undefined): FactSubject {
  return workload === undefined ? pod : { ...pod, kind: workload.ownerKind, name: workload.name, uid: '' };
}

/** Returns a key that a Deployment shares with its ReplicaSets. */
function keyOf({ kind, namespace, name }: FactSubject): string {
  return `${kind === 'Deployment' ? 'ReplicaSet' : kind} ${namespace}/${name}`;
}
