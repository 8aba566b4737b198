import type { ContainerTarget, Workload } from '../../domain/container.ts';
import { type Fact, type FactSubject, isAtLeast } from '../../domain/facts/fact.ts';
import { isGeneratedBySetOf, OwnerNames } from '../pod-names.ts';
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
 * with pods on it, and facts about a deleted pod to the workload whose pods have such names. A workload that is known by
 * facts alone, such as a Job that is gone or a Deployment whose pods are refused, has a part of its own. Facts about
 * other objects, such as a quota, belong to all.
 */
export function byWorkload(
  evidence: Evidence,
  workloads: readonly FactSubject[],
  targets: readonly ContainerTarget[],
): readonly WorkloadEvidence[] {
  const sections = new Sections(evidence.facts);
  for (const subject of workloads)
    if (KINDS.includes(subject.kind)) sections.add(sections.workloadOf(subject));
  // Suspended, and known only as the owner of Jobs: they are its own.
  for (const { kind, subject } of evidence.facts)
    if (subject.kind === 'CronJob' && kind === 'paused') sections.add(subject);
  const failing = evidence.facts.filter((fact) => isAtLeast(fact, 'warning')).map(({ subject }) => subject);
  for (const subject of failing) sections.addCronJobOf(subject);
  for (const pod of evidence.pods) sections.addPod(pod);
  for (const subject of failing) if (KINDS.includes(subject.kind)) sections.add(sections.workloadOf(subject));
  const owners = new Map(evidence.facts.map((fact) => [fact, sections.ownerOf(fact.subject)]));
  return sections.all.map(({ subject, pods }) => {
    const uids = new Set(pods.map((pod) => pod.subject.uid));
    const nodes = new Set(pods.flatMap(({ node }) => node ?? []));
    const isOwn = (fact: Fact) => {
      if (fact.subject.kind === 'Node') return nodes.has(fact.subject.name);
      const owner = owners.get(fact);
      if (owner !== undefined) return owner === keyOf(subject);
      // The trouble of what belongs to none of these workloads is not theirs.
      return !isAtLeast(fact, 'warning') || !sections.isOfAnother(fact.subject);
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
  /** Workloads that facts are about, by key: not the ReplicaSets, which may belong to a Deployment. */
  readonly #known = new Map<string, FactSubject>();
  /** The controllers that report to have created or deleted a pod, by its namespace and name. */
  readonly #makers = new Map<string, FactSubject>();

  constructor(facts: readonly Fact[]) {
    for (const { subject } of facts)
      if (KINDS.includes(subject.kind) && subject.kind !== 'ReplicaSet')
        this.#known.set(keyOf(subject), subject);
    for (const { subject, reason, message } of facts)
      if (reason === 'SuccessfulCreate' || reason === 'SuccessfulDelete')
        for (const token of message.split(' ')) this.#makers.set(`${subject.namespace}/${token}`, subject);
  }

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

  addPod(pod: PodNow): void {
    const given = workloadSubject(pod.subject, pod.workload);
    const section = this.add(
      given.kind === 'ReplicaSet' ? (this.#find(keyOf(given)) ?? given) : this.workloadOf(given),
    );
    section.pods.push(pod);
    this.#ofPod.set(pod.subject.uid, keyOf(section.subject));
  }

  /** Adds the CronJob of a Job: its Jobs are one workload. */
  addCronJobOf(subject: FactSubject): void {
    const name = cronJobOf(subject);
    const isKnown = name === undefined || this.#sections.has(keyOf(subject));
    if (!isKnown) this.add({ ...subject, kind: 'CronJob', name, uid: '' });
  }

  /**
   * Returns the workload that owns a controller: the Deployment of a ReplicaSet, and the CronJob of a Job, as far as they are
   * known; otherwise the controller itself.
   */
  workloadOf(subject: FactSubject): FactSubject {
    const { kind, namespace } = subject;
    if (kind === 'Job') return this.#find(`CronJob ${namespace}/${cronJobOf(subject)}`) ?? subject;
    if (kind !== 'ReplicaSet') return subject;
    return (
      this.#find(keyOf(subject)) ?? this.#find(`ReplicaSet ${namespace}/${deploymentOf(subject)}`) ?? subject
    );
  }

  #find(key: string): FactSubject | undefined {
    return this.#sections.get(key)?.subject ?? this.#known.get(key);
  }

  /** Returns the key of the section that an object belongs to. */
  ownerOf(subject: FactSubject): string | undefined {
    const ofPod = this.#ofPod.get(subject.uid);
    if (ofPod !== undefined) return ofPod;
    if (KINDS.includes(subject.kind)) return this.#sectionOf(subject);
    if (subject.kind === 'Pod') {
      const maker = this.#makers.get(`${subject.namespace}/${subject.name}`);
      return maker === undefined ? this.#byName(subject, isPodOf) : this.#sectionOf(maker);
    }
    return this.#byName(subject, isNamedAfter);
  }

  /** Whether an object that belongs to no section is one of a known workload. */
  isOfAnother(subject: FactSubject): boolean {
    const { kind, namespace } = subject;
    if (kind === 'Pod' || KINDS.includes(kind)) return true;
    return [...this.#known.values()].some(
      (known) => known.namespace === namespace && isNamedAfter(subject, known),
    );
  }

  #sectionOf(subject: FactSubject): string | undefined {
    const key = keyOf(this.workloadOf(subject));
    return this.#sections.has(key) ? key : undefined;
  }

  /** Returns the section whose name an object has; the longest of all known names, since one may begin with another. */
  #byName(
    subject: FactSubject,
    isOf: (subject: FactSubject, owner: FactSubject) => boolean,
  ): string | undefined {
    const own = this.#sections.get(keyOf(subject));
    if (own !== undefined) return keyOf(own.subject);
    const owners = [...this.all.map((section) => section.subject), ...this.#known.values()].filter(
      (owner) => owner.namespace === subject.namespace && isOf(subject, owner),
    );
    const [owner] = owners.sort((a, b) => b.name.length - a.name.length);
    return owner && this.#sectionOf(owner);
  }
}

/**
 * Returns the name of the CronJob that makes Jobs of such names: after itself and the minutes since the epoch
 * (pkg/controller/cronjob, getJobName).
 */
function cronJobOf({ kind, name }: FactSubject): string | undefined {
  return kind === 'Job' ? /^(.+)-\d{8,}$/.exec(name)?.[1] : undefined;
}

/**
 * Returns the name of the Deployment that makes ReplicaSets of such names: after itself and the hash of the template
 * (pkg/controller/deployment/sync.go, getNewReplicaSet).
 */
function deploymentOf({ name }: FactSubject): string | undefined {
  return /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{1,10}$/.exec(name)?.[1];
}

/** Controllers name their objects after themselves. */
function isNamedAfter({ name }: FactSubject, owner: FactSubject): boolean {
  return name === owner.name || name.startsWith(`${owner.name}-`);
}

/** Whether a workload gives its pods such names. */
function isPodOf(pod: FactSubject, { kind, namespace, name }: FactSubject): boolean {
  // Others than those of Kubernetes may name them as they like.
  if (!KINDS.includes(kind)) return kind !== 'Pod' && isNamedAfter(pod, { ...pod, name });
  const names = new OwnerNames();
  names.add(kind, namespace, name);
  const isOfSet = (kind === 'Deployment' || kind === 'ReplicaSet') && isGeneratedBySetOf(name, pod.name);
  return isOfSet || names.match('Pod', namespace, pod.name);
}

function workloadSubject(pod: FactSubject, workload: Workload | undefined): FactSubject {
  return workload === undefined ? pod : { ...pod, kind: workload.ownerKind, name: workload.name, uid: '' };
}

/** Returns a key that a Deployment shares with its ReplicaSets. */
function keyOf({ kind, namespace, name }: FactSubject): string {
  return `${kind === 'Deployment' ? 'ReplicaSet' : kind} ${namespace}/${name}`;
}
