import { z } from 'zod';
import { container, name, namespaceName } from './container-schema.ts';
import { DURATION_PATTERN } from './duration.ts';
import { networkFault } from './network-schema.ts';
import { registry } from './registry-schema.ts';
import { timelineEvent } from './timeline-schema.ts';
import { volumeFault } from './volume-schema.ts';

const stringMap = z.record(z.string(), z.string());
const offset = z.string().regex(DURATION_PATTERN, 'a duration such as 30s, 5m, 1h30m or -40m');

const copies = z
  .number()
  .int()
  .min(1)
  .max(10_000)
  .optional()
  .describe('this many copies, named NAME-1, NAME-2 and so on');

const node = z.strictObject({
  name,
  copies,
  region: z.string().optional(),
  zone: z.string().optional(),
  os: z.string().default('linux'),
  arch: z.string().default('amd64'),
  timeZone: z.string().default('UTC').describe('IANA name; the runtime stamps its log entries in it'),
  enableSystemLogHandler: z
    .boolean()
    .default(true)
    .describe('whether the kubelet serves the files of /var/log (its setting of that name)'),
  clockSkew: offset.optional().describe('how far the clock of the node is ahead, or slow with -'),
  labels: stringMap.default({}),
  unschedulable: z.boolean().default(false),
  pods: z.number().int().positive().default(110).describe('how many pods it can run'),
  cpu: z.string().default('8'),
  memory: z.string().default('32884096Ki'),
  taints: z
    .array(
      z.strictObject({
        key: z.string(),
        value: z.string().optional(),
        effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).default('NoSchedule'),
      }),
    )
    .default([]),
  version: z.string().default('v1.35.0'),
});

const service = z.strictObject({
  port: z.number().int().min(1).max(65535).default(80),
  targetPort: z.number().int().min(1).max(65535).optional(),
  headless: z.boolean().default(false),
});

const workload = z.strictObject({
  kind: z
    .string()
    .regex(/^[A-Z][A-Za-z]*$/, 'a kind such as Deployment')
    .describe('a kind of Kubernetes, or a custom one with apiVersion and plural'),
  apiVersion: z.string().optional(),
  plural: z.string().optional(),
  shortNames: z.array(z.string()).default([]),
  owns: z.enum(['ReplicaSet', 'Pod']).default('ReplicaSet').describe('what a custom kind creates'),
  name,
  namespace: namespaceName.optional().describe('default: the first namespace'),
  copies,
  spread: z
    .boolean()
    .default(false)
    .describe('with copies: spreads them over all namespaces of the scenario, instead of one'),
  at: offset.optional().describe('when it is created; default: at the beginning of the history'),
  replicas: z.number().int().min(0).max(5000).default(1),
  labels: stringMap.default({}),
  annotations: stringMap.default({}),
  nodeSelector: stringMap.default({}),
  nodeName: z.string().optional(),
  hostNetwork: z.boolean().default(false),
  restartPolicy: z.enum(['Always', 'OnFailure', 'Never']).optional(),
  gracePeriodSeconds: z.number().int().min(0).default(30),
  defaultContainer: z.string().optional(),
  podSpec: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('further fields of the spec of its pods, as in the API: volumes, tolerations, affinity...'),
  containers: z.array(container).default([]),
  service: service.optional(),
  selector: stringMap.optional().describe('for kind Service'),
  schedule: z.string().optional().describe('for kind CronJob: five fields'),
  completions: z.number().int().positive().optional(),
  parallelism: z.number().int().positive().optional(),
  backoffLimit: z.number().int().min(0).optional(),
  activeDeadlineSeconds: z.number().int().positive().optional().describe('for kind Job'),
  progressDeadlineSeconds: z.number().int().positive().default(600).describe('for kind Deployment'),
  maxSurge: z.union([z.number().int().min(0), z.string()]).optional(),
  maxUnavailable: z.union([z.number().int().min(0), z.string()]).optional(),
});

const rule = z.strictObject({
  namespace: namespaceName.optional().describe('default: the whole cluster'),
  apiGroups: z.array(z.string()).default(['']),
  resources: z.array(z.string()).min(1),
  verbs: z.array(z.string()).min(1),
  resourceNames: z.array(z.string()).optional(),
});

const user = z.strictObject({
  name,
  auth: z.enum(['token', 'certificate']).default('token'),
  groups: z.array(z.string()).default([]),
  namespace: namespaceName.optional().describe('the default namespace of its context'),
  expired: z.boolean().default(false).describe('the server rejects its credentials: 401'),
  rules: z.array(rule).default([]),
});

const fault = z.strictObject({
  kind: z.enum([
    'reset',
    'drop-request',
    'drop-answer',
    'clean-end',
    'stall',
    'delay',
    'status',
    'drop-watch',
    'expire-watch',
    'truncate-json',
    'split',
  ]),
  match: z.string().optional(),
  times: z.number().int().positive().optional(),
  skip: z.number().int().min(0).optional(),
  afterBytes: z.number().int().min(0).optional(),
  delayMs: z.number().min(0).optional(),
  status: z.number().int().optional(),
  text: z.string().optional(),
  retryAfterSeconds: z.number().min(0).optional(),
  chunkBytes: z.number().int().positive().optional(),
});

/** What a simulated cluster contains and plays: see docs and scenarios/*.yaml. */
export const scenarioSchema = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().optional(),
  seed: z.number().int().default(1),
  clusterName: z.string().default('sim'),
  namespace: namespaceName.optional().describe("the administrator context's default namespace"),
  backfill: offset.default('0s').describe('how much history there is at the start'),
  startDelays: z
    .enum(['real', 'none'])
    .default('real')
    .describe('none: pods run the moment they are created, for tests without a moving clock'),
  logMaxBytes: z.number().int().positive().optional().describe('size at which log files are rotated; 10 MiB'),
  logMaxFiles: z.number().int().min(2).optional().describe('5'),
  nodes: z.array(node).min(1),
  namespaces: z.array(namespaceName).default(['default']),
  workloads: z.array(workload).default([]),
  registries: z.array(registry).default([]).describe('every other image is already on each node'),
  volumes: z.array(volumeFault).default([]).describe('claims whose volumes fail'),
  networks: z.array(networkFault).default([]).describe('when nodes cannot connect new pods to the network'),
  users: z.array(user).default([]),
  objects: z
    .array(z.record(z.string(), z.unknown()))
    .default([])
    .describe('objects of the API, created unchanged'),
  timeline: z
    .array(
      timelineEvent.refine((event) => event.at !== undefined, {
        path: ['at'],
        message: 'an event of a scenario needs its time',
      }),
    )
    .default([])
    .describe('at: offset from the start of serving; negative offsets lie in the history'),
  faults: z.array(fault).default([]),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type ScenarioNode = Scenario['nodes'][number];
export type ScenarioWorkload = Scenario['workloads'][number];
export type ScenarioUser = Scenario['users'][number];
export const faultSchema = fault;
