import { z } from 'zod';

/** One container as the page shows it. */
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
  restarts: z.int().nonnegative(),
  /** What the pod's status says: `running`, `waiting: ImagePullBackOff`, `terminated: Error (2)`. */
  state: z.string(),
});
export type LogSource = z.infer<typeof LogSource>;
