import { since } from './duration.ts';
import { array, at, fields, labelText, number, orNone, text } from './read.ts';

const ROLE_LABEL = 'node-role.kubernetes.io/';

export function nodeCells(node: unknown, nowMs: number): readonly unknown[] {
  const labels = fields(at(node, 'metadata', 'labels'));
  const info = fields(at(node, 'status', 'nodeInfo'));
  const address = (type: string) =>
    text(array(at(node, 'status', 'addresses')).find((entry) => entry.type === type)?.address);
  const ready = array(at(node, 'status', 'conditions')).find((condition) => condition.type === 'Ready');
  let status = 'Unknown';
  if (ready !== undefined) status = ready.status === 'True' ? 'Ready' : 'NotReady';
  if (at(node, 'spec', 'unschedulable') === true) status += ',SchedulingDisabled';
  const roles = Object.keys(labels)
    .filter((key) => key.startsWith(ROLE_LABEL) && key.length > ROLE_LABEL.length)
    .map((key) => key.slice(ROLE_LABEL.length));
  if (text(labels['kubernetes.io/role']) !== '') roles.push(text(labels['kubernetes.io/role']));
  const kernel = text(info.kernelVersion);
  return [
    text(at(node, 'metadata', 'name')),
    status,
    orNone([...new Set(roles)].sort().join(',')),
    since(at(node, 'metadata', 'creationTimestamp'), nowMs),
    text(info.kubeletVersion),
    orNone(address('InternalIP')),
    orNone(address('ExternalIP')),
    text(info.osImage) || '<unknown>',
    kernel === '' ? '<unknown>' : `${kernel} (${text(info.architecture)})`,
    text(info.containerRuntimeVersion) || '<unknown>',
  ];
}

export function namespaceCells(namespace: unknown, nowMs: number): readonly unknown[] {
  return [
    text(at(namespace, 'metadata', 'name')),
    text(at(namespace, 'status', 'phase')),
    since(at(namespace, 'metadata', 'creationTimestamp'), nowMs),
  ];
}

export function serviceCells(service: unknown, nowMs: number): readonly unknown[] {
  const spec = fields(at(service, 'spec'));
  const ports = array(spec.ports).map((port) => {
    const node = number(port.nodePort) === 0 ? '' : `:${number(port.nodePort)}`;
    return `${number(port.port)}${node}/${text(port.protocol) || 'TCP'}`;
  });
  return [
    text(at(service, 'metadata', 'name')),
    text(spec.type),
    orNone(text(spec.clusterIP)),
    externalIp(service),
    orNone(ports.join(',')),
    since(at(service, 'metadata', 'creationTimestamp'), nowMs),
    orNone(labelText(spec.selector)),
  ];
}

function externalIp(service: unknown): string {
  const spec = fields(at(service, 'spec'));
  const external = Array.isArray(spec.externalIPs) ? spec.externalIPs.map(String) : [];
  if (spec.type === 'ExternalName') return text(spec.externalName);
  if (spec.type !== 'LoadBalancer') return orNone(external.join(','));
  const ingress = array(at(service, 'status', 'loadBalancer', 'ingress'));
  const all = [...ingress.map((entry) => text(entry.ip) || text(entry.hostname)), ...external];
  return all.length === 0 ? '<pending>' : all.join(',');
}

/** Returns Last Seen, Type, Reason, Object, Subobject, Source, Message, First Seen, Count, Name. */
export function eventCells(event: unknown, nowMs: number): readonly unknown[] {
  const of = fields(at(event, 'involvedObject'));
  const eventTime = at(event, 'eventTime');
  const first = at(event, 'firstTimestamp') ?? eventTime;
  const series = at(event, 'series');
  const seriesTime = at(series, 'lastObservedTime');
  const last = seriesTime ?? at(event, 'lastTimestamp') ?? first;
  const count = series === undefined ? number(at(event, 'count')) : number(at(series, 'count'));
  const subobject = text(of.fieldPath);
  const component = text(at(event, 'source', 'component')) || text(at(event, 'reportingComponent'));
  const host = text(at(event, 'source', 'host')) || text(at(event, 'reportingInstance'));
  return [
    since(last, nowMs),
    text(at(event, 'type')),
    text(at(event, 'reason')),
    of.name === undefined || of.name === ''
      ? text(of.kind).toLowerCase()
      : `${text(of.kind).toLowerCase()}/${text(of.name)}`,
    subobject,
    host === '' ? component : `${component}, ${host}`,
    text(at(event, 'message')).trim(),
    since(first, nowMs),
    count === 0 ? 1 : count,
    text(at(event, 'metadata', 'name')),
  ];
}
