import type { Store, StoredObject } from '../../store/store.ts';
import type { ContainerSpec } from '../objects.ts';

interface KeyReference {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

interface EnvironmentSource {
  readonly configMapKeyRef?: KeyReference;
  readonly secretKeyRef?: KeyReference;
}

interface WholeSource {
  readonly configMapRef?: KeyReference;
  readonly secretRef?: KeyReference;
}

/** The kinds that a container or volume refers to, with their names in messages. */
const KINDS = {
  configMap: { resource: 'configmaps', name: 'configmap', title: 'ConfigMap' },
  secret: { resource: 'secrets', name: 'secret', title: 'Secret' },
} as const;

type Kind = (typeof KINDS)[keyof typeof KINDS];

/**
 * Returns the kubelet's text for a ConfigMap, Secret or key that a container's environment needs and its namespace
 * lacks (pkg/kubelet/kubelet_pods.go, makeEnvironmentVariables); undefined if nothing is missing.
 */
export function missingConfig(
  store: Store,
  namespace: string,
  { env = [], envFrom = [] }: ContainerSpec,
): string | undefined {
  for (const { configMapRef, secretRef } of envFrom as readonly WholeSource[]) {
    const problem =
      absent(store, namespace, KINDS.configMap, configMapRef) ??
      absent(store, namespace, KINDS.secret, secretRef);
    if (problem !== undefined) return problem;
  }
  for (const { valueFrom } of env) {
    const { configMapKeyRef, secretKeyRef } = (valueFrom ?? {}) as EnvironmentSource;
    const problem =
      absentKey(store, namespace, KINDS.configMap, configMapKeyRef) ??
      absentKey(store, namespace, KINDS.secret, secretKeyRef);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function absent(
  store: Store,
  namespace: string,
  { resource, name: kind }: Kind,
  reference: KeyReference | undefined,
): string | undefined {
  if (reference?.name === undefined || reference.optional === true) return undefined;
  const found = store.get(resource, namespace, reference.name) !== undefined;
  return found ? undefined : `${kind} ${JSON.stringify(reference.name)} not found`;
}

function absentKey(
  store: Store,
  namespace: string,
  kind: Kind,
  reference: KeyReference | undefined,
): string | undefined {
  const missing = absent(store, namespace, kind, reference);
  if (missing !== undefined || reference?.name === undefined || reference.optional === true) return missing;
  const object = store.get(kind.resource, namespace, reference.name);
  if (keysOf(object).includes(reference.key ?? '')) return undefined;
  return `couldn't find key ${reference.key} in ${kind.title} ${namespace}/${reference.name}`;
}

function keysOf(object: StoredObject | undefined): readonly string[] {
  return ['data', 'binaryData', 'stringData'].flatMap((field) => Object.keys(object?.[field] ?? {}));
}

/** A volume of a pod's spec, only with its references to other objects. */
export interface PodVolume {
  readonly name: string;
  readonly configMap?: VolumeSource & { readonly name?: string };
  readonly secret?: VolumeSource & { readonly secretName?: string };
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

interface VolumeSource {
  readonly optional?: boolean;
  readonly items?: readonly { readonly key: string }[];
}

/**
 * Returns why a volume of a ConfigMap or Secret cannot be set up (pkg/volume/configmap, pkg/volume/secret); undefined
 * if it can.
 */
export function missingVolumeSource(
  store: Store,
  namespace: string,
  { configMap, secret }: PodVolume,
): string | undefined {
  const source = configMap ?? secret;
  if (source === undefined || source.optional === true) return undefined;
  const kind = configMap === undefined ? KINDS.secret : KINDS.configMap;
  const name = configMap === undefined ? secret?.secretName : configMap.name;
  if (name === undefined) return undefined;
  const missing = absent(store, namespace, kind, { name });
  if (missing !== undefined) return missing;
  const keys = keysOf(store.get(kind.resource, namespace, name));
  const key = source.items?.find((item) => !keys.includes(item.key))?.key;
  if (key === undefined) return undefined;
  return configMap === undefined
    ? `references non-existent secret key: ${key}`
    : `configmap references non-existent config key: ${key}`;
}
