import { AGE, type ColumnRow, NAME } from './column-row.ts';
import { since } from './duration.ts';
import { array, at, fields, number, orNone, selectorText, text } from './read.ts';

type Cells = (object: unknown, nowMs: number) => readonly unknown[];

const AGE_COLUMN: ColumnRow = ['Age', 'string', '', 0, AGE];
const NAME_COLUMN: ColumnRow = ['Name', 'string', 'name', 0, NAME];

function column(name: string, type: string, description: string, priority = 0): ColumnRow {
  return [name, type, '', priority, description];
}

const BINDING_COLUMNS: readonly ColumnRow[] = [
  NAME_COLUMN,
  column('Role', 'string', 'The role that is given'),
  AGE_COLUMN,
  column('Users', 'string', 'Users in the binding', 1),
  column('Groups', 'string', 'Groups in the binding', 1),
  column('ServiceAccounts', 'string', 'Service accounts in the binding', 1),
];

/** The columns of other kinds that charts contain (kubernetes: pkg/printers/internalversion). */
export const CHART_KIND_COLUMNS: Readonly<Record<string, readonly ColumnRow[]>> = {
  'poddisruptionbudgets.policy': [
    NAME_COLUMN,
    column('Min Available', 'string', 'The minimum number of pods that must be available.'),
    column('Max Unavailable', 'string', 'The maximum number of pods that may be unavailable.'),
    column('Allowed Disruptions', 'integer', 'Calculated number of pods that may be disrupted at this time.'),
    AGE_COLUMN,
  ],
  'ingresses.networking.k8s.io': [
    NAME_COLUMN,
    column('Class', 'string', 'The name of the IngressClass resource that should be used for this ingress'),
    column('Hosts', 'string', 'Hosts that incoming requests are matched against before the ingress rule'),
    column('Address', 'string', 'Address is a list containing ingress points for the load-balancer'),
    column('Ports', 'string', 'Ports of TLS configurations that open'),
    AGE_COLUMN,
  ],
  persistentvolumeclaims: [
    NAME_COLUMN,
    column('Status', 'string', 'The phase of the claim'),
    column('Volume', 'string', 'The volume that the claim is bound to'),
    column('Capacity', 'string', 'The size of that volume'),
    column('Access Modes', 'string', 'How that volume may be mounted'),
    column('StorageClass', 'string', 'The class of storage that is claimed'),
    column('VolumeAttributesClass', 'string', 'The class of attributes of the volume'),
    AGE_COLUMN,
    column('VolumeMode', 'string', 'Whether the volume has a file system', 1),
  ],
  'networkpolicies.networking.k8s.io': [
    NAME_COLUMN,
    column('Pod-Selector', 'string', 'The pods that the policy is about'),
    AGE_COLUMN,
  ],
  'horizontalpodautoscalers.autoscaling': [
    NAME_COLUMN,
    column('Reference', 'string', 'What is scaled'),
    column('Targets', 'string', 'Present and wanted values of the metrics'),
    column('MinPods', 'string', 'The lower limit of replicas'),
    column('MaxPods', 'string', 'The upper limit of replicas'),
    column('Replicas', 'string', 'Replicas at present'),
    AGE_COLUMN,
  ],
  'apiservices.apiregistration.k8s.io': [
    NAME_COLUMN,
    column('Service', 'string', 'The service that answers for this API'),
    column('Available', 'string', 'Whether that service answers'),
    AGE_COLUMN,
  ],
  'rolebindings.rbac.authorization.k8s.io': BINDING_COLUMNS,
  'clusterrolebindings.rbac.authorization.k8s.io': BINDING_COLUMNS,
};

export const CHART_KIND_CELLS: Readonly<Record<string, Cells>> = {
  'poddisruptionbudgets.policy': (budget, nowMs) => {
    const { minAvailable, maxUnavailable } = fields(at(budget, 'spec'));
    return [
      name(budget),
      minAvailable === undefined ? 'N/A' : String(minAvailable),
      maxUnavailable === undefined ? 'N/A' : String(maxUnavailable),
      number(at(budget, 'status', 'disruptionsAllowed')),
      age(budget, nowMs),
    ];
  },
  'ingresses.networking.k8s.io': (ingress, nowMs) => {
    const hosts = array(at(ingress, 'spec', 'rules'))
      .map((rule) => text(rule.host))
      .filter((host) => host !== '');
    const shown =
      hosts.length > 3 ? `${hosts.slice(0, 3).join(',')} + ${hosts.length - 3} more...` : hosts.join(',');
    const addresses = array(at(ingress, 'status', 'loadBalancer', 'ingress')).map(
      (entry) => text(entry.ip) || text(entry.hostname),
    );
    return [
      name(ingress),
      orNone(text(at(ingress, 'spec', 'ingressClassName'))),
      shown === '' ? '*' : shown,
      addresses.sort().join(','),
      array(at(ingress, 'spec', 'tls')).length > 0 ? '80, 443' : '80',
      age(ingress, nowMs),
    ];
  },
  persistentvolumeclaims: (claim, nowMs) => {
    const volume = text(at(claim, 'spec', 'volumeName'));
    const leaving = at(claim, 'metadata', 'deletionTimestamp') !== undefined;
    return [
      name(claim),
      leaving ? 'Terminating' : text(at(claim, 'status', 'phase')),
      volume,
      volume === '' ? '' : text(at(claim, 'status', 'capacity', 'storage')),
      volume === '' ? '' : accessModes(at(claim, 'status', 'accessModes')),
      text(at(claim, 'spec', 'storageClassName')),
      text(at(claim, 'spec', 'volumeAttributesClassName')) || '<unset>',
      age(claim, nowMs),
      text(at(claim, 'spec', 'volumeMode')) || '<unset>',
    ];
  },
  'networkpolicies.networking.k8s.io': (policy, nowMs) => [
    name(policy),
    selectorText(at(policy, 'spec', 'podSelector')),
    age(policy, nowMs),
  ],
  'horizontalpodautoscalers.autoscaling': (autoscaler, nowMs) => {
    const spec = fields(at(autoscaler, 'spec'));
    const target = fields(spec.scaleTargetRef);
    return [
      name(autoscaler),
      `${text(target.kind)}/${text(target.name)}`,
      array(spec.metrics).length === 0 ? '<none>' : '<unknown>',
      spec.minReplicas === undefined ? '<unset>' : String(spec.minReplicas),
      number(spec.maxReplicas),
      number(at(autoscaler, 'status', 'currentReplicas')),
      age(autoscaler, nowMs),
    ];
  },
  'apiservices.apiregistration.k8s.io': (apiService, nowMs) => [
    name(apiService),
    serviceText(at(apiService, 'spec', 'service')),
    availableText(array(at(apiService, 'status', 'conditions'))),
    age(apiService, nowMs),
  ],
  'rolebindings.rbac.authorization.k8s.io': bindingCells,
  'clusterrolebindings.rbac.authorization.k8s.io': bindingCells,
};

function serviceText(service: unknown): string {
  if (service === undefined || service === null) return 'Local';
  return `${text(at(service, 'namespace'))}/${text(at(service, 'name'))}`;
}

function availableText(conditions: readonly Readonly<Record<string, unknown>>[]): string {
  const { status, reason } = conditions.find(({ type }) => type === 'Available') ?? { status: 'Unknown' };
  return status === 'True' || text(reason) === '' ? text(status) : `${text(status)} (${text(reason)})`;
}

function bindingCells(binding: unknown, nowMs: number): readonly unknown[] {
  const subjects = array(at(binding, 'subjects'));
  const named = (kind: string) => subjects.filter((subject) => subject.kind === kind);
  return [
    name(binding),
    `${text(at(binding, 'roleRef', 'kind'))}/${text(at(binding, 'roleRef', 'name'))}`,
    age(binding, nowMs),
    named('User')
      .map((subject) => text(subject.name))
      .join(', '),
    named('Group')
      .map((subject) => text(subject.name))
      .join(', '),
    named('ServiceAccount')
      .map((subject) => `${text(subject.namespace)}/${text(subject.name)}`)
      .join(', '),
  ];
}

const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function accessModes(modes: unknown): string {
  const given = Array.isArray(modes) ? modes.map(String) : [];
  return Object.entries(SHORT_MODES)
    .filter(([mode]) => given.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

function name(object: unknown): string {
  return text(at(object, 'metadata', 'name'));
}

function age(object: unknown, nowMs: number): string {
  return since(at(object, 'metadata', 'creationTimestamp'), nowMs);
}
