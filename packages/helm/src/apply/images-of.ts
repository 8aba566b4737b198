import type { Value, ValueMap } from '../value/value.ts';
import type { Target } from './target.ts';

/** An image that pods of a manifest need. */
export interface WantedImage {
  readonly image: string;
  /**
   * As written, or the cluster's default
   * (https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting).
   */
  readonly pullPolicy: string;
}

/** The path of the pod specification in each kind. */
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

/** Returns the images that the objects of a manifest need, each once, in order. */
export function imagesOf(targets: readonly Target[]): readonly WantedImage[] {
  const images = targets.flatMap(({ object }) => containersOf(object)).flatMap(imageOf);
  return [...new Map(images.map((one) => [`${one.image} ${one.pullPolicy}`, one])).values()];
}

/** Returns the specification of the pods that an object creates; undefined if it creates none. */
export function podSpecOf({ kind, content }: Target['object']): ValueMap | undefined {
  const path = Object.hasOwn(POD_SPECS, kind) ? POD_SPECS[kind] : undefined;
  const spec = path?.reduce<Value | undefined>(
    (at, key) => (at instanceof Map ? at.get(key) : undefined),
    content,
  );
  return spec instanceof Map ? spec : undefined;
}

/** Returns the containers of the pods that an object creates, init containers first. */
function containersOf(object: Target['object']): readonly Value[] {
  const spec = podSpecOf(object);
  return spec === undefined ? [] : [...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')];
}

function imageOf(container: Value): readonly WantedImage[] {
  const image = container instanceof Map ? container.get('image') : undefined;
  if (!(container instanceof Map) || typeof image !== 'string' || image === '') return [];
  const policy = container.get('imagePullPolicy');
  const isSet = typeof policy === 'string' && policy !== '';
  return [{ image, pullPolicy: isSet ? policy : defaultPolicy(image) }];
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
