import type { RolloutSpan, ViewSource } from '../../../worker/protocol/protocol.ts';

/** Patterns of the pod names that controllers generate: https://kubernetes.io/docs/concepts/workloads/controllers/ */
const POD_NAMES: Readonly<Record<string, RegExp>> = {
  Deployment: /^-[a-z0-9]+-[a-z0-9]{5}$/,
  StatefulSet: /^-\d+$/,
  DaemonSet: /^-[a-z0-9]{5}$/,
};

/** The sources in pods that a rollout created: pods of the workload that run one of its new images. */
export function newSourcesOf(
  { workload, images }: RolloutSpan,
  sources: readonly ViewSource[],
): ReadonlySet<number> {
  const ending = POD_NAMES[workload.kind];
  if (ending === undefined) return new Set();
  const own = sources.filter(
    ({ namespace, pod }) =>
      namespace === workload.namespace &&
      pod.startsWith(workload.name) &&
      ending.test(pod.slice(workload.name.length)),
  );
  const isNew = ({ container, image }: ViewSource) =>
    image !== undefined && images.some((change) => change.container === container && change.to === image);
  const pods = new Set(own.filter(isNew).map(podOf));
  return new Set(own.filter((source) => pods.has(podOf(source))).map(({ index }) => index));
}

function podOf({ id }: ViewSource): string {
  return id.slice(0, id.indexOf('/'));
}

/** Finds the revision being rolled out when a line was written, by source and time (ms); undefined: none. */
export function rolloutFinder(
  rollouts: readonly RolloutSpan[],
  sources: readonly ViewSource[],
): (source: number, atMs: number) => number | undefined {
  const spans = rollouts
    .filter(({ toMs, isGoingOn }) => toMs !== undefined || isGoingOn)
    .map((rollout) => ({ ...rollout, sources: newSourcesOf(rollout, sources) }));
  return (source, atMs) =>
    spans.find(
      ({ fromMs, toMs = Number.POSITIVE_INFINITY, sources: own }) =>
        own.has(source) && atMs >= fromMs && atMs <= toMs,
    )?.revision;
}
