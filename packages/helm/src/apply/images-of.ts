import type { Value, ValueMap } from '../value/value.ts';
import type { Target } from './target.ts';

/** An image that pods of a manifest ask for. */
export interface WantedImage {
  readonly image: string;
  /** As written, or as the cluster sets it (https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting). */
  readonly pullPolicy: string;
}

/** Where kinds have the specification of a pod. */
const POD_SPECS: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** The images that the objects of a manifest ask for, each once, in their order. */
export function imagesOf(targets: readonly Target[]): readonly WantedImage[] {
  const found = new Map<string, WantedImage>();
  for (const { object } of targets) {
    const path = Object.hasOwn(POD_SPECS, object.kind) ? POD_SPECS[object.kind] : undefined;
    const spec = path?.reduce<Value | undefined>(
      (at, key) => (at instanceof Map ? at.get(key) : undefined),
      object.content,
    );
    if (!(spec instanceof Map)) continue;
    for (const container of [...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')]) {
      if (!(container instanceof Map)) continue;
      const image = container.get('image');
      if (typeof image !== 'string' || image === '') continue;
      const policy = container.get('imagePullPolicy');
      const pullPolicy = typeof policy === 'string' && policy !== '' ? policy : defaultPolicy(image);
      found.set(`${image} ${pullPolicy}`, { image, pullPolicy });
    }
  }
  return [...found.values()];
}

function listAt(map: ValueMap, key: string): readonly Value[] {
  const held = map.get(key);
  return Array.isArray(held) ? held : [];
}

function defaultPolicy(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^:/]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}
