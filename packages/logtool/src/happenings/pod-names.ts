/**
 * `web-7d9f8c6b5-x2x9p`. The characters of the random end: k8s.io/apimachinery/pkg/util/rand, SafeEncodeString.
 */
const GENERATED = /^(.+?)[bcdfghjklmnpqrstvwxz2456789]{5}$/;
/** `import-3-x2x9p` of an indexed Job. */
const INDEXED = /^(.+)-\d+-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
/** `db-0`: a StatefulSet counts its pods. */
const ORDINAL = /^(.+)-(?:0|[1-9]\d*)$/;
/** `nightly-29345678`: a CronJob adds the time in minutes (pkg/controller/cronjob, getJobName). */
const SCHEDULED = /^(.+)-\d{1,10}$/;
/** The server cuts what a generated name begins with (k8s.io/apiserver/pkg/storage/names, MaxGeneratedNameLength). */
const MAX_PREFIX = 58;

/** Kinds of controllers whose pods have generated names. */
const GENERATING: readonly string[] = ['ReplicaSet', 'ReplicationController', 'DaemonSet', 'Job'];

/** Owners, to find their pods and Jobs by name. */
export class OwnerNames {
  /** `kind namespace/prefix`. */
  readonly #prefixes = new Set<string>();

  /** Adds an owner. Returns whether it is new. */
  add(kind: string, namespace: string, name: string): boolean {
    const before = this.#prefixes.size;
    const prefix = GENERATING.includes(kind) ? prefixOf(name) : name;
    this.#prefixes.add(`${kind} ${namespace}/${prefix}`);
    return this.#prefixes.size > before;
  }

  has(kind: string, namespace: string, name: string): boolean {
    const prefix = GENERATING.includes(kind) ? prefixOf(name) : name;
    return this.#prefixes.has(`${kind} ${namespace}/${prefix}`);
  }

  /** Whether a pod or Job has a name that one of the owners gives. */
  match(kind: string, namespace: string, name: string): boolean {
    const owners = kind === 'Pod' ? ownersOfPod(name) : ownersOfJob(kind, name);
    return owners.some(([owner, prefix]) => this.#prefixes.has(`${owner} ${namespace}/${prefix}`));
  }
}

/** pkg/controller/controller_utils.go (GetPodsPrefix). */
function prefixOf(name: string): string {
  return `${name}-`.slice(0, MAX_PREFIX);
}

type Owner = readonly [kind: string, prefix: string];

function ownersOfPod(name: string): readonly Owner[] {
  const prefix = GENERATED.exec(name)?.[1];
  const generated = prefix === undefined ? [] : GENERATING.map((kind): Owner => [kind, prefix]);
  const indexed = INDEXED.exec(name)?.[1];
  const counted = ORDINAL.exec(name)?.[1];
  // The pods of a CronJob's Job, which may be deleted.
  const scheduled = prefix === undefined ? undefined : SCHEDULED.exec(prefix.slice(0, -1))?.[1];
  return [
    ...generated,
    ...(indexed === undefined ? [] : [['Job', prefixOf(indexed)] as const]),
    ...(counted === undefined ? [] : [['StatefulSet', counted] as const]),
    ...(scheduled === undefined ? [] : [['CronJob', scheduled] as const]),
  ];
}

function ownersOfJob(kind: string, name: string): readonly Owner[] {
  const cronJob = kind === 'Job' ? SCHEDULED.exec(name)?.[1] : undefined;
  return cronJob === undefined ? [] : [['CronJob', cronJob]];
}

/** Whether a ReplicaSet, ReplicationController, DaemonSet or Job of this name generates such names of pods. */
export function isGeneratedFrom(owner: string, pod: string): boolean {
  return GENERATED.exec(pod)?.[1] === prefixOf(owner);
}

/**
 * Whether a ReplicaSet of a Deployment of this name generates such names of pods: its own name ends with the hash of the
 * template (pkg/controller/deployment/sync.go, getNewReplicaSet).
 */
export function isGeneratedBySetOf(deployment: string, pod: string): boolean {
  const prefix = GENERATED.exec(pod)?.[1];
  if (prefix?.startsWith(`${deployment}-`) !== true) return prefix === prefixOf(deployment);
  // The server may have cut the hash.
  return /^[bcdfghjklmnpqrstvwxz2456789]{0,10}-?$/.test(prefix.slice(deployment.length + 1));
}
