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
  /** `OOMKilled`, `Error`, `Completed`; absent if the runtime gives none. */
  reason: z.string().optional(),
  /** The container's limit, as its pod writes it: `256Mi`. */
  memoryLimit: z.string().optional(),
});
export type ContainerExit = z.infer<typeof ContainerExit>;

/** The same exit for all pods with that reason and exit code; the other fields describe the newest. */
export const PodsExit = ContainerExit.extend({
  /** Number of pods with a container whose last end was this. */
  pods: z.int().positive(),
  /** The earliest of these ends within the hour before the newest, RFC 3339; absent if there is no other. */
  firstAt: z.string().optional(),
});
export type PodsExit = z.infer<typeof PodsExit>;

/** A Warning event. The cluster drops events after about an hour. */
export const Warning = z.object({
  /** When it last happened, and when the same first happened to any of the objects, RFC 3339. */
  at: z.string(),
  firstAt: z.string(),
  /** How often it happened. */
  count: z.int().positive(),
  reason: z.string(),
  message: z.string(),
  /** Its object became ready afterwards. */
  isOver: z.boolean(),
});
export type Warning = z.infer<typeof Warning>;

/**
 * One row of the home page. A ReplicaSet of a Deployment and a Job of a CronJob have no rows; every pod has
 * one, with `ownerId` if it belongs to another row.
 */
export const Workload = z.object({
  /** Constant for the life of the object: its UID. */
  id: z.string(),
  kind: WorkloadKind,
  /** Kind in Kubernetes' spelling: `Deployment`. */
  kindName: z.string(),
  namespace: z.string(),
  name: z.string(),
  podsReady: z.int().nonnegative(),
  podsTotal: z.int().nonnegative(),
  /** Restarts of all containers of its current pods. */
  restarts: z.int().nonnegative(),
  /** Time of the last restart, RFC 3339. */
  lastRestartAt: z.string().optional(),
  /** A short status: `done`, `suspended`, `ImagePullBackOff`, `CrashLoopBackOff`. */
  status: z.string().optional(),
  /** `status` needs attention. */
  isFailing: z.boolean(),
  /**
   * When the failure began, RFC 3339, if the object itself reports it: a failed Job, a stuck rollout, a
   * quota.
   */
  failingSince: z.string().optional(),
  /**
   * The last container end in its current pods that was not the success of a whole pod: the reason for its
   * restart.
   */
  lastExit: PodsExit.optional(),
  /**
   * Last ends of containers of its current pods with other reasons or exit codes, newest first: the first
   * few.
   */
  otherExits: z.array(PodsExit).optional(),
  /** A container that cannot run, and why. */
  waiting: z
    .object({
      container: z.string(),
      /**
       * Only for an image that cannot be pulled; `message` is then the registry's answer, empty if the status
       * lacks it.
       */
      image: z.string().optional(),
      reason: z.string(),
      message: z.string().optional(),
    })
    .optional(),
  /** Since when a pod has been missing or not ready, RFC 3339; absent if all are ready, or if unknown. */
  notReadySince: z.string().optional(),
  /** The last Warning event of the workload or one of its pods. Absent if the user may not list events. */
  lastWarning: Warning.optional(),
  /** The last event of the workload or one of its pods. */
  lastEvent: z
    .object({ at: z.string(), reason: z.string(), message: z.string(), isWarning: z.boolean() })
    .optional(),
  /** For pods: `id` of the row that it belongs to; absent for a pod without an owner. */
  ownerId: z.string().optional(),
  createdAt: z.string(),
  /**
   * Names of the containers of its pods, the main one first, including those that end before the others start;
   * absent while it has no pods.
   */
  containers: z.array(z.string()).optional(),
  /** Its pods are not known yet: ignore the values about them. The same row comes again with them. */
  isPartial: z.boolean().optional(),
  /** For CronJobs: the next run, RFC 3339. */
  nextRunAt: z.string().optional(),
  /** From the in-cluster agent; absent without it. */
  agent: z
    .object({
      sizeBytes: z.number(),
      lastLineAt: z.string().optional(),
      /** Lines of each of the last 30 minutes, oldest first. */
      lines: z.array(z.number()),
      errors: z.array(z.number()),
    })
    .optional(),
});
export type Workload = z.infer<typeof Workload>;

/**
 * One line of the workload stream (NDJSON): a snapshot first, then changes; a new snapshot replaces
 * everything. The first one may have rows whose pods are not known yet (`isPartial`); changes complete them,
 * and then `synced` comes.
 */
export const WorkloadFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    workloads: z.array(Workload),
    /** Lines of type `more` that belong to this snapshot follow before `synced`. */
    pods: z.int().nonnegative(),
  }),
  z.object({ type: z.literal('more'), workloads: z.array(Workload) }),
  z.object({ type: z.literal('synced') }),
  /** At most four times a second: everything that changed since. */
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
    /** ms until the next attempt. */
    retryInMs: z.number().optional(),
  }),
  z.object({ type: z.literal('heartbeat'), at: z.number() }),
  z.object({
    type: z.literal('closing'),
    reason: z.enum(['shutdown', 'signed-out', 'expired', 'revoked', 'too-slow']),
  }),
]);
export type WorkloadFrame = z.infer<typeof WorkloadFrame>;
