import type { StoredObject } from '../../store/store.ts';
import { type Cluster, deletePod } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { podSpec, podStatus, timeText } from '../objects.ts';
import { setDisruption } from '../pods/disruption.ts';
import { podsOn } from '../related.ts';
import { nodeStatusEvent, setNodeCondition, setTaints, taintsOf } from './node-status.ts';

const UNREACHABLE = 'node.kubernetes.io/unreachable';
const CONDITIONS = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'] as const;

/**
 * Does what the control plane does with a node whose kubelet is silent (pkg/controller/nodelifecycle,
 * pkg/controller/tainteviction): sets its conditions to unknown and its pods to not ready, and later deletes the pods
 * that do not tolerate this.
 */
export function nodeUnreachable(cluster: Cluster, name: string): void {
  const node = cluster.store.get('nodes', undefined, name);
  if (node === undefined) return;
  const message = 'Kubelet stopped posting node status.';
  for (const type of CONDITIONS)
    setNodeCondition(cluster, name, { type, status: 'Unknown', reason: 'NodeStatusUnknown', message });
  nodeStatusEvent(cluster, node, 'NodeNotReady', 'node-controller');
  setTaints(cluster, name, UNREACHABLE, ['NoSchedule', 'NoExecute']);
  for (const pod of podsOn(cluster.store, name)) {
    markNotReady(cluster, pod);
    deleteLater(cluster, pod, name);
  }
}

/** Restores a node's conditions when its kubelet is back. */
export function nodeReachable(cluster: Cluster, name: string): void {
  const node = cluster.store.get('nodes', undefined, name);
  if (node === undefined) return;
  for (const condition of HEALTHY) {
    const isChanged = setNodeCondition(cluster, name, condition);
    if (isChanged && condition.type === 'Ready') nodeStatusEvent(cluster, node, 'NodeReady', 'kubelet');
  }
  setTaints(cluster, name, UNREACHABLE, []);
}

const HEALTHY = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
  { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
] as const;

/** Marks a pod as not ready: pkg/controller/util/node/controller_utils.go, MarkPodsNotReady. */
function markNotReady(cluster: Cluster, { metadata }: StoredObject): void {
  const { namespace, name } = metadata;
  const changed = cluster.store.update('pods', namespace, name, (pod) => {
    const { conditions = [], ...status } = podStatus(pod);
    if (!conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True')) return false;
    const lastTransitionTime = timeText(cluster.clock.now());
    const unready = conditions.map((one) =>
      one.type === 'Ready' ? { ...one, status: 'False', lastTransitionTime } : one,
    );
    pod.status = { ...status, conditions: unready };
    return undefined;
  });
  if (changed === undefined) return;
  recordEvent(cluster, changed, {
    type: 'Warning',
    reason: 'NodeNotReady',
    message: 'Node is not ready',
    component: 'node-controller',
  });
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** Returns how long a pod may stay on an unreachable node, in ms; undefined: forever. */
function toleratedMs(pod: StoredObject): number | undefined {
  const tolerations = (podSpec(pod).tolerations ?? []) as readonly Toleration[];
  const matching = tolerations.filter(
    ({ key, effect }) =>
      (key === undefined || key === UNREACHABLE) && (effect === undefined || effect === 'NoExecute'),
  );
  if (matching.length === 0) return 0;
  const seconds = matching.flatMap((one) => one.tolerationSeconds ?? []);
  return seconds.length === 0 ? undefined : Math.min(...seconds) * 1000;
}

function deleteLater(cluster: Cluster, { metadata }: StoredObject, nodeName: string): void {
  const { namespace, name, uid } = metadata;
  const pod = cluster.store.get('pods', namespace, name);
  const waitMs = pod === undefined ? undefined : toleratedMs(pod);
  if (waitMs === undefined) return;
  cluster.clock.after(waitMs, () => {
    const node = cluster.store.get('nodes', undefined, nodeName);
    const isUnreachable = node !== undefined && taintsOf(node).some(({ key }) => key === UNREACHABLE);
    const current = cluster.store.get('pods', namespace, name);
    const isSame = current?.metadata.uid === uid && current.metadata.deletionTimestamp === undefined;
    if (!isUnreachable || !isSame) return;
    recordEvent(cluster, current, {
      type: 'Normal',
      reason: 'TaintManagerEviction',
      message: `Marking for deletion Pod ${namespace}/${name}`,
      component: 'taint-eviction-controller',
    });
    const message = 'Taint manager: deleting due to NoExecute taint';
    setDisruption(cluster, current, 'DeletionByTaintManager', message);
    deletePod(cluster, cluster.store.get('pods', namespace, name) ?? current);
  });
}
