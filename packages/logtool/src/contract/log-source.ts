import { z } from 'zod';

/**
 * How a container stands by its pod's status. `restarts`: how often it was restarted by now. What the status does not
 * say is absent; `mayRestart`: the kubelet may start it again, whatever it waits for.
 */
export const WireContainerState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('running'), restarts: z.int().nonnegative() }),
  z.object({ kind: z.literal('waiting'), restarts: z.int().nonnegative(), reason: z.string() }),
  z.object({
    kind: z.literal('terminated'),
    restarts: z.int().nonnegative(),
    reason: z.string().optional(),
    exitCode: z.int().optional(),
    mayRestart: z.boolean(),
  }),
]);
export type WireContainerState = z.infer<typeof WireContainerState>;

/** One run of a container as the page shows it. */
export const LogSource = z.object({
  /** Index that records of this stream carry. One index a run: a restarted container is given another one. */
  index: z.int().nonnegative(),
  /** pod UID / container name: stays over restarts. */
  id: z.string(),
  /** ID of the run, e.g. `containerd://abc`; empty while it is not known. */
  run: z.string(),
  /** The place of the run in the total order of equal timestamps: `id/run`. */
  order: z.string(),
  /** The arguments of the query that it belongs to, as given: `shop:deployments/web`. */
  arguments: z.array(z.string()),
  namespace: z.string(),
  pod: z.string(),
  container: z.string(),
  /** What made its pod: its name, and the kind of the pod's owner. Absent for a pod on its own. */
  workload: z.object({ ownerKind: z.string(), name: z.string() }).optional(),
  /** Names of all containers of the pod but ephemeral ones. */
  podContainers: z.array(z.string()).optional(),
  /** As the pod's spec names it; of the present run only. */
  image: z.string().optional(),
  kind: z.enum(['init', 'sidecar', 'regular', 'ephemeral']),
  node: z.string().optional(),
  region: z.string().optional(),
  zone: z.string().optional(),
  os: z.string().optional(),
  arch: z.string().optional(),
  /** How often its container had been restarted when this run began. */
  restarts: z.int().nonnegative(),
  /** Of its container, not of this run: the same for all runs of one answer. */
  state: WireContainerState,
});
export type LogSource = z.infer<typeof LogSource>;
