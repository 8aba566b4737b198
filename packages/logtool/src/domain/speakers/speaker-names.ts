import { type ContainerName, identityOf } from './hues.ts';

/** The API server's suffix of a generated name: five characters (apimachinery, names.SimpleNameGenerator). */
const GENERATED = /^(.+)-([a-z0-9]{5})$/;

/**
 * The infix before it: from a Deployment, the hash of a ReplicaSet in the alphabet of generated names (apimachinery,
 * util/rand); from a CronJob, the minutes since the epoch (Kubernetes, pkg/controller/cronjob).
 */
const OF_OWNER = /^(.+)-(?:[bcdfghjklmnpqrstvwxz2456789]{5,10}|[0-9]{8,10})$/;

/** Shortens `checkout-79ff75dfcd-njwj2` to `checkout-njwj2`: keeps the distinct ending whole. */
function shortPodName(pod: string): string {
  const [, base, end] = GENERATED.exec(pod) ?? [];
  if (base === undefined) return pod;
  const [, workload] = OF_OWNER.exec(base) ?? [];
  return workload === undefined ? pod : `${workload}-${end}`;
}

/**
 * Returns short names of pods where they stay distinct; others keep their full names. Under a heading that names their
 * workload (`checkout`), a generated name is its ending: `…njwj2`.
 */
export function shortPodNames(pods: readonly string[], heading?: string): ReadonlyMap<string, string> {
  const names = [...new Set(pods)];
  const shorts = names.map(
    (pod) => (heading === undefined ? undefined : endOf(pod, heading)) ?? shortPodName(pod),
  );
  const count = new Map<string, number>();
  for (const short of shorts) count.set(short, (count.get(short) ?? 0) + 1);
  const isTaken = new Set(names);
  return new Map(
    names.map((pod, at) => {
      const short = shorts[at] ?? pod;
      const isClear = count.get(short) === 1 && (short === pod || !isTaken.has(short));
      return [pod, isClear ? short : pod];
    }),
  );
}

function endOf(pod: string, heading: string): string | undefined {
  const end = pod.startsWith(`${heading}-`) ? GENERATED.exec(pod)?.[2] : undefined;
  return end === undefined ? undefined : `…${end}`;
}

/**
 * Returns the short names of containers in view, by identity. Includes the namespace only if there are several, and the
 * container only if a pod has several.
 */
export function speakerNames(containers: readonly ContainerName[]): ReadonlyMap<string, string> {
  const byIdentity = new Map(containers.map((each) => [identityOf(each), each]));
  const all = [...byIdentity.values()];
  const oneNamespace = new Set(all.map(({ namespace }) => namespace)).size === 1;
  const oneEach = new Set(all.map(({ namespace, pod }) => `${namespace}/${pod}`)).size === all.length;
  const shorts = shortPodNames(all.map(({ pod }) => pod));
  return new Map(
    all.map((each) => {
      const pod = shorts.get(each.pod) ?? each.pod;
      const name = `${oneNamespace ? '' : `${each.namespace}/`}${pod}${oneEach ? '' : `/${each.container}`}`;
      return [identityOf(each), name];
    }),
  );
}
