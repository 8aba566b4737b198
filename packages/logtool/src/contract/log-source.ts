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
