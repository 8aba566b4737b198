import { z } from 'zod';
import { WireError } from './error.ts';
import { WORKLOAD_KINDS } from './workload-kinds.ts';

export const WorkloadKind = z.enum(WORKLOAD_KINDS);
export type WorkloadKind = z.infer<typeof WorkloadKind>;

/** How a container ended, as the kubelet reports it. */
export const ContainerExit = z.object({
  pod: z.string(),
  container: z.string(),
  /** RFC 3339. */
  at: z.string(),
  exitCode: z.int(),
  /** `OOMKilled`, `Error`, `Completed`; absent where the runtime gives none. */
  reason: z.string().optional(),
  /** Of the container, as its pod writes it: `256Mi`. */
  memoryLimit: z.string().optional(),
});
export type ContainerExit = z.infer<typeof ContainerExit>;

/** The same of all pods with that reason and exit code; the rest is of the newest. */
export const PodsExit = ContainerExit.extend({
  /** How many pods have a container that ended so last. */
  pods: z.int().positive(),
});
export type PodsExit = z.infer<typeof PodsExit>;

/** A Warning event. The cluster forgets events after about an hour. */
export const Warning = z.object({
  /** When it happened last, and first, RFC 3339. */
  at: z.string(),
  firstAt: z.string(),
  /** How often. */
  count: z.int().positive(),
  reason: z.string(),
  message: z.string(),
  /** What it is about became ready after it. */
  isOver: z.boolean(),
});
export type Warning = z.infer<typeof Warning>;

/**
 * One row of the home page. A ReplicaSet of a Deployment and a Job of a CronJob are no rows of their own; every pod is
 * one, with `ownerId` where it belongs to another row.
 */
export const Workload = z.object({
  /** Stays for the life of the object: its UID. */
  id: z.string(),
  kind: WorkloadKind,
  /** Kind as Kubernetes writes it: `Deployment`. */
  kindName: z.string(),
  namespace: z.string(),
  name: z.string(),
  podsReady: z.int().nonnegative(),
  podsTotal: z.int().nonnegative(),
  /** Restarts of all containers of its present pods. */
  restarts: z.int().nonnegative(),
  /** Time of the last restart, RFC 3339. */
  lastRestartAt: z.string().optional(),
  /** What it is about in a word or two: `done`, `suspended`, `ImagePullBackOff`, `CrashLoopBackOff`. */
  status: z.string().optional(),
  /** `status` needs attention. */
  isFailing: z.boolean(),
  /** Since when, RFC 3339, where the object itself says so: a Job that failed, a rollout that stands still, a quota. */
  failingSince: z.string().optional(),
  /** The last end of a container of its present pods that was no success of a whole pod: what made it start again. */
  lastExit: PodsExit.optional(),
  /** How containers of its present pods ended last with another reason or exit code, the newest first: the first few. */
  otherExits: z.array(PodsExit).optional(),
  /** A container that cannot run, and why. */
  waiting: z
    .object({
      container: z.string(),
      /** Only of one that cannot be pulled; `message` is then what the registry answered, empty if the status lacks it. */
      image: z.string().optional(),
      reason: z.string(),
      message: z.string().optional(),
    })
    .optional(),
  /** Since when a pod is missing or not ready, RFC 3339; absent where all are ready, and where it is unknown. */
  notReadySince: z.string().optional(),
  /** The last Warning event of the workload or one of its pods. Absent where events may not be listed. */
  lastWarning: Warning.optional(),
  /** The last event of the workload or one of its pods. */
  lastEvent: z
    .object({ at: z.string(), reason: z.string(), message: z.string(), isWarning: z.boolean() })
    .optional(),
  /** Pods: `id` of the row that it belongs to; absent for a pod on its own. */
  ownerId: z.string().optional(),
  createdAt: z.string(),
  /** Names of the containers of its pods, those that end before the others start too; absent while it has no pods. */
  containers: z.array(z.string()).optional(),
  /** Its pods are not known yet: ignore the values about them. The same row comes again with them. */
  isPartial: z.boolean().optional(),
  /** CronJobs: when it runs next, RFC 3339. */
  nextRunAt: z.string().optional(),
  /** From the in-cluster agent; absent without it. */
  agent: z
    .object({
      sizeBytes: z.number(),
      lastLineAt: z.string().optional(),
      /** Lines of each of the last 30 minutes, the oldest first. */
      lines: z.array(z.number()),
      errors: z.array(z.number()),
    })
    .optional(),
});
export type Workload = z.infer<typeof Workload>;

/**
 * One line of the workload stream (NDJSON): a snapshot first, then changes; a new snapshot replaces everything. The
 * first one may have rows whose pods are not known yet (`isPartial`); changes bring them whole, and then `synced` comes.
 */
export const WorkloadFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    workloads: z.array(Workload),
    /** Of this snapshot more lines of type `more` follow before `synced`. */
    pods: z.int().nonnegative(),
  }),
  z.object({ type: z.literal('more'), workloads: z.array(Workload) }),
  z.object({ type: z.literal('synced') }),
  /** At most four times a second, all that changed since. */
  z.object({
    type: z.literal('changes'),
    changed: z.array(Workload),
    removed: z.array(z.string()),
    pods: z.int().nonnegative(),
  }),
  /** A namespace or kind without permission to read; the rest continues. */
  z.object({ type: z.literal('denied'), namespace: z.string().optional(), error: WireError }),
  z.object({
    type: z.literal('state'),
    state: z.enum(['live', 'polling', 'retrying', 'failed']),
    error: WireError.optional(),
    /** ms until the next try. */
    retryInMs: z.number().optional(),
  }),
  z.object({ type: z.literal('heartbeat'), at: z.number() }),
  z.object({
    type: z.literal('closing'),
    reason: z.enum(['shutdown', 'signed-out', 'expired', 'revoked', 'too-slow']),
  }),
]);
export type WorkloadFrame = z.infer<typeof WorkloadFrame>;
