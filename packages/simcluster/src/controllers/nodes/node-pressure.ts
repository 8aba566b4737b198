import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { podSpec } from '../objects.ts';
import { kubeletEvent, nodeStatusEvent, setNodeCondition, setTaints } from './node-status.ts';

export type Pressure = 'memory' | 'disk' | 'pid';

/**
 * The condition of each pressure with its reasons and messages (pkg/kubelet/nodestatus/setters.go), and the resource to
 * reclaim.
 */
const PRESSURES = {
  memory: {
    type: 'MemoryPressure',
    taint: 'node.kubernetes.io/memory-pressure',
    reclaims: 'memory',
    on: ['InsufficientMemory', 'kubelet has insufficient memory available'],
    off: ['SufficientMemory', 'kubelet has sufficient memory available'],
  },
  disk: {
    type: 'DiskPressure',
    taint: 'node.kubernetes.io/disk-pressure',
    reclaims: 'ephemeral-storage',
    on: ['DiskPressure', 'kubelet has disk pressure'],
    off: ['NoDiskPressure', 'kubelet has no disk pressure'],
  },
  pid: {
    type: 'PIDPressure',
    taint: 'node.kubernetes.io/pid-pressure',
    reclaims: 'pids',
    on: ['InsufficientPID', 'kubelet has insufficient PID available'],
    off: ['SufficientPID', 'kubelet has sufficient PID available'],
  },
} as const;

/** Sets whether a node runs short of a resource. */
export function setPressure(cluster: Cluster, node: StoredObject, pressure: Pressure, isOn: boolean): void {
  const { type, taint, reclaims, on, off } = PRESSURES[pressure];
  const [state, message] = isOn ? on : off;
  const { name } = node.metadata;
  const status = isOn ? 'True' : 'False';
  if (!setNodeCondition(cluster, name, { type, status, reason: `KubeletHas${state}`, message })) return;
  if (isOn)
    kubeletEvent(cluster, node, ['Warning', 'EvictionThresholdMet', `Attempting to reclaim ${reclaims}`]);
  nodeStatusEvent(cluster, node, `NodeHas${state}`, 'kubelet');
  setTaints(cluster, name, taint, isOn ? ['NoSchedule'] : []);
}

export interface EvictionCause {
  readonly resource: string;
  readonly threshold?: string | undefined;
  readonly available?: string | undefined;
  /** How much of the resource each container used. */
  readonly usage: Readonly<Record<string, string>>;
}

/** Returns the text of a kubelet that evicts a pod (pkg/kubelet/eviction/helpers.go, evictionMessage). */
export function evictionMessage(
  pod: StoredObject,
  { resource, threshold, available, usage }: EvictionCause,
): string {
  const low = `The node was low on resource: ${resource}. `;
  const quantities =
    threshold === undefined ? '' : `Threshold quantity: ${threshold}, available: ${available ?? '0'}. `;
  const containers = podSpec(pod).containers.flatMap(({ name, resources }) => {
    const used = usage[name];
    const request = resources?.requests?.[resource] ?? '0';
    return used === undefined
      ? []
      : [
          `Container ${name} was using ${used}, request is ${request}, has larger consumption of ${resource}. `,
        ];
  });
  return `${low}${quantities}${containers.join('')}`;
}
