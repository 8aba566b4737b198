import type { ScenarioNode } from './schema.ts';

/** Type, status, reason and message of each condition of a healthy node. */
const CONDITIONS = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

/** Returns the Node object of a scenario's node, as its kubelet would register it. */
export function nodeObject(node: ScenarioNode, index: number, created: string, heartbeat = created) {
  const labels: Record<string, string> = {
    'beta.kubernetes.io/arch': node.arch,
    'beta.kubernetes.io/os': node.os,
    'kubernetes.io/arch': node.arch,
    'kubernetes.io/hostname': node.name,
    'kubernetes.io/os': node.os,
    ...(node.region === undefined ? {} : { 'topology.kubernetes.io/region': node.region }),
    ...(node.zone === undefined ? {} : { 'topology.kubernetes.io/zone': node.zone }),
    ...node.labels,
  };
  const resources = {
    cpu: node.cpu,
    'ephemeral-storage': '264212084Ki',
    memory: node.memory,
    pods: String(node.pods),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: node.name,
      labels,
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
      // A clock that differs shows in who wrote the heartbeats, and when.
      ...(heartbeat === created ? {} : { managedFields: [statusWrite(created)] }),
    },
    spec: specOf(node),
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: conditionsOf(created, heartbeat),
      addresses: [
        { type: 'InternalIP', address: `192.0.2.${(index % 250) + 2}` },
        { type: 'Hostname', address: node.name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        machineID: '00000000-0000-0000-0000-000000000000',
        systemUUID: '00000000-0000-0000-0000-000000000000',
        bootID: '00000000-0000-0000-0000-000000000000',
        kernelVersion: '6.18.0-generic',
        osImage: node.os === 'windows' ? 'Windows Server 2022 Datacenter' : 'Debian GNU/Linux 12 (bookworm)',
        containerRuntimeVersion: 'containerd://1.6.20',
        kubeletVersion: node.version,
        kubeProxyVersion: '',
        operatingSystem: node.os,
        architecture: node.arch,
      },
    },
  };
}

function conditionsOf(created: string, heartbeat: string) {
  return CONDITIONS.map(([type, status, reason, message]) => ({
    type,
    status,
    lastHeartbeatTime: heartbeat,
    lastTransitionTime: created,
    reason,
    message,
  }));
}

/** The record of a kubelet's write of its conditions, by the API server's clock. */
function statusWrite(time: string) {
  const own = CONDITIONS.map(([type]) => [`k:{"type":"${type}"}`, { 'f:lastHeartbeatTime': {} }]);
  return {
    manager: 'kubelet',
    operation: 'Update',
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:status': { 'f:conditions': Object.fromEntries(own) } },
    subresource: 'status',
  };
}

function specOf({ unschedulable, taints }: ScenarioNode) {
  return { ...(unschedulable ? { unschedulable } : {}), ...(taints.length === 0 ? {} : { taints }) };
}
