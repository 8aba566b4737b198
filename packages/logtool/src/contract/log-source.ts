import { z } from 'zod';

/**
 * The state of a container in its pod's status. `restarts`: number of restarts so far. Fields that the status
 * lacks are absent; `mayRestart`: the kubelet may start it again, whatever it waits for; `startedAt`: when its run began.
 */
export const WireContainerState = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('running'),
    restarts: z.int().nonnegative(),
    startedAt: z.string().optional(),
  }),
  z.object({ kind: z.literal('waiting'), restarts: z.int().nonnegative(), reason: z.string() }),
  z.object({
    kind: z.literal('terminated'),
    restarts: z.int().nonnegative(),
    reason: z.string().optional(),
    exitCode: z.int().optional(),
    mayRestart: z.boolean(),
    startedAt: z.string().optional(),
  }),
]);
export type WireContainerState = z.infer<typeof WireContainerState>;

/** One run of a container as the page shows it. */
export const LogSource = z.object({
  /** The index in records of this stream. Each run has one index: a restarted container gets another one. */
  index: z.int().nonnegative(),
  /** pod UID / container name: the same after restarts. */
  id: z.string(),
  /** ID of the run, e.g. `containerd://abc`; empty while unknown. */
  run: z.string(),
  /** The position of the run in the total order of equal timestamps: `id/run`. */
  order: z.string(),
  /** The query's arguments that select it, as given: `shop:deployments/web`. */
  arguments: z.array(z.string()),
  namespace: z.string(),
  pod: z.string(),
  container: z.string(),
  /** What created its pod: its name, and the kind of the pod's owner. Absent for a pod without an owner. */
  workload: z.object({ ownerKind: z.string(), name: z.string() }).optional(),
  /** Names of all containers of the pod except ephemeral ones. */
  podContainers: z.array(z.string()).optional(),
  /** The image in the pod's spec; only for the current run. */
  image: z.string().optional(),
  kind: z.enum(['init', 'sidecar', 'regular', 'ephemeral']),
  node: z.string().optional(),
  region: z.string().optional(),
  zone: z.string().optional(),
  os: z.string().optional(),
  arch: z.string().optional(),
  /** Number of restarts of its container when this run began. */
  restarts: z.int().nonnegative(),
  /** The state of its container, not of this run: the same for all runs in one answer. */
  state: WireContainerState,
});
export type LogSource = z.infer<typeof LogSource>;
