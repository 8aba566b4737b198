import {
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  JOBS,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  SERVICES,
  STATEFUL_SETS,
} from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { type OwnerRef, type PodFacts, readLabels } from '../pods/pod-facts.ts';
import { listOf } from '../pods/read-json.ts';
import { type LabelSelector, readSelector, selects } from '../sources/label-selector.ts';
import type { Between } from './owner-tree.ts';

/** An object whose pods are requested: a workload, a Service, or anything that owns pods. */
export interface Root {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /**
   * Narrows the request for pods. For a Service it also decides which pods belong. Undefined: the request cannot be
   * narrowed.
   */
  readonly selector: LabelSelector | undefined;
  /** `spec.replicas` is 0. */
  readonly scaledToZero: boolean;
  /** A Job that is complete or failed, so no pod will come. */
  readonly finished: boolean;
}

/** Every Job of a CronJob adds this label to its pods, whatever its template says, unless it has its own selector. */
const PODS_OF_JOBS: LabelSelector = [{ key: 'job-name', operator: 'exists', values: [] }];

/** Reads a root as the API returns it. With metadata only, selector and state are unknown. */
export function readRoot(type: ResourceType, object: KubeObject): Root {
  const { metadata } = object;
  const root = asRecord(object) ?? {};
  const spec = asRecord(root.spec) ?? {};
  return {
    uid: metadata.uid,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    selector: narrowing(type, spec),
    scaledToZero: spec.replicas === 0,
    finished:
      isType(type, JOBS) &&
      listOf(asRecord(root.status)?.conditions).some(
        ({ type: condition, status }) =>
          (condition === 'Complete' || condition === 'Failed') && status === 'True',
      ),
  };
}

function narrowing(type: ResourceType, spec: Readonly<Record<string, unknown>>): LabelSelector | undefined {
  if (isType(type, CRON_JOBS)) {
    return asRecord(asRecord(spec.jobTemplate)?.spec)?.manualSelector === true ? undefined : PODS_OF_JOBS;
  }
  const selector = readSelector(spec.selector);
  if (selector === undefined || WITH_SELECTOR.some((known) => isType(type, known))) return selector;
  // In other kinds, a selector may be about anything. It is about the pods if the object's own template meets it.
  const template = asRecord(asRecord(spec.template)?.metadata);
  return selects(selector, readLabels(template?.labels)) ? selector : undefined;
}

const WITH_SELECTOR = [
  DEPLOYMENTS,
  REPLICA_SETS,
  STATEFUL_SETS,
  DAEMON_SETS,
  JOBS,
  REPLICATION_CONTROLLERS,
  SERVICES,
];

export function isType(a: ResourceType, b: ResourceType): boolean {
  return a.group === b.group && a.plural === b.plural;
}

/** Returns a filter for the kinds that may stand between a root of this type and its pods. */
export function betweenOf(type: ResourceType): Between {
  if (isType(type, DEPLOYMENTS)) return (owner) => isOwner(owner, REPLICA_SETS);
  if (isType(type, CRON_JOBS)) return (owner) => isOwner(owner, JOBS);
  if (WITH_SELECTOR.some((known) => isType(type, known))) return () => false;
  // Static pods belong to their node, which has no owner.
  return (owner) => !(owner.kind === 'Node' && owner.apiVersion === 'v1');
}

function isOwner(owner: OwnerRef, type: ResourceType): boolean {
  return owner.kind === type.kind && owner.apiVersion.startsWith(`${type.group}/`);
}

/**
 * Recognizes a workload's pods without reading the objects in between, if those may not be read: by the names that the
 * controllers give (`web-<pod-template-hash>`, `report-<minutes>`). Returns undefined for kinds that have no such rule.
 */
export function ownsByName(type: ResourceType, roots: Iterable<Root>, pod: PodFacts): boolean | undefined {
  const here = [...roots].filter((root) => root.namespace === pod.namespace);
  if (isType(type, DEPLOYMENTS)) {
    const hash = pod.labels.get('pod-template-hash') ?? '';
    return pod.owners.some((owner) => here.some((root) => owner.name === `${root.name}-${hash}`));
  }
  if (isType(type, CRON_JOBS)) {
    return pod.owners.some((owner) => {
      const end = /-\d+$/.exec(owner.name);
      return end !== null && here.some((root) => root.name === owner.name.slice(0, end.index));
    });
  }
  return undefined;
}
