import type { PodSpec } from '../../controllers/objects.ts';
import { withTemplateDefaults } from '../../controllers/pods/pod-defaults.ts';
import { array, at, type Fields, fields, text } from '../table/read.ts';

type Changeable = Record<string, unknown>;

/** Fills in the defaults of a pod's spec inside a workload (k8s.io/kubernetes/pkg/apis/core/v1/defaults.go). */
export function podSpecWithDefaults(spec: Fields): Changeable {
  const out: Changeable = { ...withTemplateDefaults(spec as unknown as PodSpec) };
  if (text(out.serviceAccountName) !== '') out.serviceAccount ??= out.serviceAccountName;
  else if (text(out.serviceAccount) !== '') out.serviceAccountName = out.serviceAccount;
  for (const list of ['containers', 'initContainers']) {
    if (Array.isArray(out[list])) out[list] = array(out[list]).map(containerWithDefaults);
  }
  if (Array.isArray(out.volumes)) out.volumes = array(out.volumes).map(volumeWithDefaults);
  return out;
}

function containerWithDefaults(container: Fields): Changeable {
  const out: Changeable = { ...container };
  if (Array.isArray(out.ports)) {
    out.ports = array(out.ports).map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' }));
  }
  if (Array.isArray(out.env)) out.env = array(out.env).map(variableWithDefaults);
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (out[probe] !== undefined) out[probe] = probeWithDefaults(fields(out[probe]));
  }
  return out;
}

function variableWithDefaults(variable: Fields): Fields {
  const reference = at(variable, 'valueFrom', 'fieldRef');
  if (reference === undefined) return variable;
  const fieldRef = { ...fields(reference), apiVersion: at(reference, 'apiVersion') ?? 'v1' };
  return { ...variable, valueFrom: { ...fields(variable.valueFrom), fieldRef } };
}

function probeWithDefaults(probe: Fields): Changeable {
  const out: Changeable = { ...probe };
  if (out.httpGet !== undefined) {
    const get = fields(out.httpGet);
    out.httpGet = { ...get, path: get.path ?? '/', scheme: get.scheme ?? 'HTTP' };
  }
  out.timeoutSeconds ??= 1;
  out.periodSeconds ??= 10;
  out.successThreshold ??= 1;
  out.failureThreshold ??= 3;
  return out;
}

/** Default mode of files in these volumes, 0644: all users may read them. */
const READABLE_BY_ALL = 420;
const WITH_MODE = ['secret', 'configMap', 'downwardAPI', 'projected'];

function volumeWithDefaults(volume: Fields): Changeable {
  const out: Changeable = { ...volume };
  for (const source of WITH_MODE) {
    if (out[source] === undefined) continue;
    const given = fields(out[source]);
    out[source] = { ...given, defaultMode: given.defaultMode ?? READABLE_BY_ALL };
  }
  if (out.hostPath !== undefined) {
    const path = fields(out.hostPath);
    out.hostPath = { ...path, type: path.type ?? '' };
  }
  if (Object.keys(out).length === 1 && out.name !== undefined) out.emptyDir = {};
  return out;
}
