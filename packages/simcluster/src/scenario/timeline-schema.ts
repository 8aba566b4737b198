import { z } from 'zod';
import { container, duration, namespaceName } from './container-schema.ts';

/** Which pods: one by name, or those of a workload (`deployments/web`), all or the nth by name. */
const podsTarget = {
  namespace: namespaceName.optional().describe('default: the first namespace of the scenario'),
  pod: z.string().optional(),
  workload: z
    .string()
    .regex(/^[a-z][a-z.]*\/.+$/, 'plural/name, such as deployments/web')
    .optional(),
  index: z.number().int().min(0).optional().describe('of a workload: only that pod, in the order of names'),
};
const containerTarget = {
  ...podsTarget,
  container: z.string().optional().describe('default: the first regular container'),
};
const workloadTarget = {
  namespace: namespaceName.optional(),
  workload: z.string().regex(/^[a-z][a-z.]*\/.+$/, 'plural/name, such as deployments/web'),
};

/** An event in the cluster. SimCluster.act and the control endpoint take the same shape. */
export const timelineEvent = z.discriminatedUnion('action', [
  z.strictObject({
    at: duration.optional(),
    action: z.literal('crash').describe('the process exits'),
    ...containerTarget,
    code: z.number().int().min(0).max(255).default(1),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('oom').describe('the kernel kills a process that needs more memory than is available'),
    ...containerTarget,
    process: z
      .enum(['main', 'child', 'of-node'])
      .default('main')
      .describe('child: the container keeps running; of-node: the node ran out of memory, not the container'),
    victim: z.string().default('app').describe('name of the process'),
    reported: z.boolean().default(false).describe('a node-problem-detector makes an event of the node of it'),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('kill').describe('somebody sends a signal that ends the process'),
    ...containerTarget,
    signal: z.enum(['SIGHUP', 'SIGINT', 'SIGABRT', 'SIGKILL', 'SIGSEGV', 'SIGTERM']).default('SIGKILL'),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('evict').describe('the kubelet evicts pods because a resource is short'),
    ...podsTarget,
    resource: z.enum(['memory', 'ephemeral-storage', 'inodes', 'pids']).default('memory'),
    threshold: z.string().optional(),
    available: z.string().optional(),
    usage: z.record(z.string(), z.string()).default({}).describe('what containers used of it, by name'),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('pressure').describe('a node runs short of a resource, or has enough again'),
    node: z.string(),
    resource: z.enum(['memory', 'disk', 'pid']).default('memory'),
    on: z.boolean().default(true),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('node-down').describe('it loses its power: no kubelet, no container'),
    node: z.string(),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('node-up').describe('it boots after node-down'),
    node: z.string(),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('restart').describe('it ends with 0 and starts again'),
    ...containerTarget,
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('rollout'),
    ...workloadTarget,
    image: z.string().optional().describe('of the first container; without it there is a new revision too'),
    containers: z.array(container).optional().describe('what the containers do from now on'),
    labels: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('scale'),
    ...workloadTarget,
    replicas: z.number().int().min(0).max(5000),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('suspend').describe('sets suspend of a Job or CronJob'),
    ...workloadTarget,
    on: z.boolean().default(true),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('pause').describe('sets paused of a Deployment'),
    ...workloadTarget,
    on: z.boolean().default(true),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('delete').describe('pods, or with all: the workload itself'),
    ...podsTarget,
    all: z.boolean().default(false),
    gracePeriodSeconds: z.number().int().min(0).optional(),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('ungate').describe('removes the scheduling gates of pods'),
    ...podsTarget,
  }),
  z.strictObject({
    at: duration.optional(),
    action: z
      .literal('condition')
      .describe('a controller sets a condition of pods, such as that of a readiness gate'),
    ...podsTarget,
    type: z.string().min(1),
    status: z.enum(['True', 'False', 'Unknown']).default('True'),
    reason: z.string().optional(),
    message: z.string().optional(),
  }),
  z.strictObject({ at: duration.optional(), action: z.literal('rotate'), ...containerTarget }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('write'),
    ...containerTarget,
    text: z.string().optional(),
    base64: z.string().optional(),
    stream: z.enum(['stdout', 'stderr']).default('stdout'),
    stamp: z.string().optional().describe('RFC 3339; default: the time of the clock'),
    partial: z.boolean().default(false),
    repeat: z.number().int().min(1).max(1_000_000).default(1),
  }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('behave').describe('changes what the containers do, without a restart'),
    ...workloadTarget,
    containers: z.array(container).min(1),
  }),
  z.strictObject({ at: duration.optional(), action: z.literal('drain'), node: z.string() }),
  z.strictObject({ at: duration.optional(), action: z.literal('uncordon'), node: z.string() }),
  z.strictObject({ at: duration.optional(), action: z.literal('kubelet-down'), node: z.string() }),
  z.strictObject({ at: duration.optional(), action: z.literal('kubelet-up'), node: z.string() }),
  z.strictObject({ at: duration.optional(), action: z.literal('runtime-restart'), node: z.string() }),
  z.strictObject({
    at: duration.optional(),
    action: z.literal('ephemeral').describe('kubectl debug: adds an ephemeral container to a pod'),
    ...podsTarget,
    containers: z.array(container).min(1),
  }),
]);

export type TimelineEvent = z.infer<typeof timelineEvent>;
