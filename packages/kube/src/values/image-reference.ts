/** An image reference as Kubernetes reads it: https://github.com/distribution/reference (grammar of reference.go). */
export interface ImageReference {
  /** `ghcr.io`, `localhost:5000`; '' if the reference names none, which means Docker Hub. */
  readonly registry: string;
  readonly repository: string;
  readonly tag: string | undefined;
  /** `sha256:...` */
  readonly digest: string | undefined;
}

/** Why a text is not an image reference. */
export type ImageFault =
  | { readonly problem: 'digest' }
  | { readonly problem: 'image-id' }
  | { readonly problem: 'name-too-long'; readonly limit: number }
  | { readonly problem: 'registry'; readonly registry: string }
  | { readonly problem: 'repository' }
  | { readonly problem: 'second-digest' }
  | { readonly problem: 'tag' };

const LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;
const COMPONENT = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Limit for registry and repository together. */
const MAX_NAME_LENGTH = 255;

/**
 * Parses `[REGISTRY/]REPOSITORY[:TAG][@DIGEST]`. The part before the first slash is a registry if it has a dot, a colon
 * or a capital, or is `localhost`.
 * @returns the reason if the text is invalid
 */
export function parseImageReference(text: string): ImageReference | ImageFault {
  const { name, tag, digest, isWhole } = divide(text);
  if (!isWhole) return { problem: 'second-digest' };
  const reference = { ...divideName(name), tag, digest };
  return faultOfEnds(reference, name) ?? faultOfName(reference) ?? reference;
}

function divide(text: string) {
  const [rest = '', digest, ...more] = text.split('@');
  const colon = rest.lastIndexOf(':');
  // A colon before a slash belongs to the registry's port.
  const hasTag = colon > rest.lastIndexOf('/');
  return {
    name: hasTag ? rest.slice(0, colon) : rest,
    tag: hasTag ? rest.slice(colon + 1) : undefined,
    digest,
    isWhole: more.length === 0,
  };
}

function divideName(name: string): Pick<ImageReference, 'registry' | 'repository'> {
  const slash = name.indexOf('/');
  const first = slash === -1 ? '' : name.slice(0, slash);
  const hasRegistry = /[.:A-Z]/.test(first) || first === 'localhost';
  return hasRegistry
    ? { registry: first, repository: name.slice(slash + 1) }
    : { registry: '', repository: name };
}

function faultOfEnds({ tag, digest }: ImageReference, name: string): ImageFault | undefined {
  if (digest !== undefined && !DIGEST.test(digest)) return { problem: 'digest' };
  if (tag !== undefined && !TAG.test(tag)) return { problem: 'tag' };
  if (name.length > MAX_NAME_LENGTH) return { problem: 'name-too-long', limit: MAX_NAME_LENGTH };
  return undefined;
}

function faultOfName({ registry, repository }: ImageReference): ImageFault | undefined {
  if (registry !== '' && !isDomain(registry)) return { problem: 'registry', registry };
  if (!repository.split('/').every((component) => COMPONENT.test(component)))
    return { problem: 'repository' };
  if (registry === '' && /^[0-9a-f]{64}$/.test(repository)) return { problem: 'image-id' };
  return undefined;
}

/** `ghcr.io`, `localhost:5000`, `[fd00::1]:5000` */
function isDomain(registry: string): boolean {
  const host = registry.replace(/:[0-9]+$/, '');
  if (/^\[[0-9a-fA-F:]+\]$/.test(host)) return true;
  return host.split('.').every((label) => LABEL.test(label));
}

/**
 * Returns the registry from which a node pulls an image: Docker Hub if the image names none. Undefined if the text is
 * not a reference.
 */
export function registryOf(image: string): string | undefined {
  const parsed = parseImageReference(image);
  if ('problem' in parsed) return undefined;
  return parsed.registry === '' ? 'docker.io' : parsed.registry;
}
