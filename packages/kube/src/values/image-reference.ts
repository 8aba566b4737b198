/** An image as Kubernetes names it: https://github.com/distribution/reference (grammar of reference.go). */
export interface ImageReference {
  /** `ghcr.io`, `localhost:5000`; '' if none is written, which is Docker Hub. */
  readonly registry: string;
  readonly repository: string;
  readonly tag: string | undefined;
  /** `sha256:...` */
  readonly digest: string | undefined;
}

const LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;
const COMPONENT = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Of registry and repository together. */
const MAX_NAME_LENGTH = 255;

/**
 * Reads `[REGISTRY/]REPOSITORY[:TAG][@DIGEST]`. The part before the first slash is a registry if it has a
 * dot, a colon or a capital, or is `localhost`.
 * @returns why it is invalid, if it is
 */
export function parseImageReference(text: string): ImageReference | { readonly problem: string } {
  const { name, tag, digest, isWhole } = divide(text);
  if (!isWhole) return { problem: 'it has more than one @' };
  const reference = { ...divideName(name), tag, digest };
  const problem = problemOfEnds(reference, name) ?? problemOfName(reference);
  return problem === undefined ? reference : { problem };
}

function divide(text: string) {
  const [rest = '', digest, ...more] = text.split('@');
  const colon = rest.lastIndexOf(':');
  // A colon before a slash belongs to the port of the registry.
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

function problemOfEnds({ tag, digest }: ImageReference, name: string): string | undefined {
  if (digest !== undefined && !DIGEST.test(digest))
    return 'its digest is not sha256: and 64 hexadecimal digits in lower case';
  if (tag !== undefined && !TAG.test(tag)) return 'its tag is not 1 to 128 letters, digits, "_", "." and "-"';
  if (name.length > MAX_NAME_LENGTH) return `its name has more than ${MAX_NAME_LENGTH} characters`;
  return undefined;
}

function problemOfName({ registry, repository }: ImageReference): string | undefined {
  if (registry !== '' && !isDomain(registry)) return `${registry} cannot be a registry`;
  if (!repository.split('/').every((part) => COMPONENT.test(part)))
    return 'a repository has lower-case letters and digits, with ".", "_" or "-" between them and "/" between parts';
  if (registry === '' && /^[0-9a-f]{64}$/.test(repository))
    return 'it looks like the ID of an image, which no registry can be asked for';
  return undefined;
}

/** `ghcr.io`, `localhost:5000`, `[fd00::1]:5000` */
function isDomain(registry: string): boolean {
  const host = registry.replace(/:[0-9]+$/, '');
  if (/^\[[0-9a-fA-F:]+\]$/.test(host)) return true;
  return host.split('.').every((label) => LABEL.test(label));
}

/**
 * The registry that a node asks for an image: Docker Hub if none is named. Undefined if it is not a
 * reference.
 */
export function registryOf(image: string): string | undefined {
  const parsed = parseImageReference(image);
  if ('problem' in parsed) return undefined;
  return parsed.registry === '' ? 'docker.io' : parsed.registry;
}
