import { z } from 'zod';
import { DURATION_PATTERN } from './duration.ts';

export const name = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/, 'a name in small letters, digits, - and .');
export const namespaceName = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'a name in small letters, digits and -');
export const duration = z.string().regex(DURATION_PATTERN, 'a duration such as 250ms, 30s, 5m or 1h30m');

/** One line with exact bytes (or several copies of it). */
export const logLine = z.union([
  z.string(),
  z.strictObject({
    text: z.string().optional(),
    base64: z.string().optional().describe('bytes that YAML cannot express'),
    stream: z.enum(['stdout', 'stderr']).default('stdout'),
    at: z.string().optional().describe('RFC 3339, to nanoseconds: the exact timestamp of the entry'),
    after: duration.optional().describe('time since the previous entry; default 10ms'),
    repeat: z
      .number()
      .int()
      .min(1)
      .max(10_000_000)
      .default(1)
      .describe('{n} in the text is the number, from 1'),
    pad: z.number().int().positive().optional().describe('repeats the text up to this many bytes'),
    fill: z
      .string()
      .min(1)
      .optional()
      .describe('with pad: repeats this after the text, in place of the text'),
    newline: z.boolean().default(true).describe('false: the container writes no newline after it'),
    partial: z.boolean().default(false).describe('a fragment: an entry with the tag P'),
  }),
]);

export const generator = z.strictObject({
  format: z.enum([
    'web',
    'json',
    'logfmt',
    'java',
    'klog',
    'ansi',
    'binary',
    'long',
    'postgres',
    'plain',
    'nginx-error',
  ]),
  perSecond: z.number().positive().max(20_000).default(1),
  evenly: z.boolean().default(false).describe('equal intervals instead of random ones'),
  burst: z.strictObject({ every: duration, lines: z.number().int().positive() }).optional(),
  levels: z
    .partialRecord(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']), z.number().min(0))
    .optional(),
  bytes: z
    .strictObject({ min: z.number().int().positive(), max: z.number().int().positive() })
    .optional()
    .describe('pads lines to a size in between'),
  stream: z
    .enum(['stdout', 'stderr', 'by-level'])
    .default('stdout')
    .describe('by-level: error and fatal on stderr'),
  messages: z
    .array(
      z.strictObject({
        text: z.string().describe('{int:1-9} {hex:8} {uuid} {ip} {ms} {n} and {pick:a|b} are replaced'),
        level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
        weight: z.number().positive().default(1),
      }),
    )
    .optional(),
  logger: z.string().optional(),
  from: duration.optional().describe('offset from the start of serving'),
  until: duration.optional(),
  limit: z.number().int().positive().optional().describe('lines in all'),
});

/** When a probe in the container's spec fails. */
const probeFailure = z.strictObject({
  probe: z.enum(['startup', 'readiness', 'liveness']),
  from: duration.optional().describe('offset from the start of serving'),
  until: duration.optional(),
  after: duration.optional().describe('only so long after the start of each run'),
  answer: z
    .union([z.number().int().min(400).max(599), z.enum(['timeout', 'refused'])])
    .default(503)
    .describe('HTTP status, or what happens to the connection'),
  output: z.string().optional().describe('what the command of an exec probe prints'),
});

const exit = z.strictObject({
  after: duration.default('0s').describe('time after the last of `lines`, or after the start'),
  spread: duration.optional().describe('adds up to this much at random'),
  code: z.number().int().min(0).max(255).optional(),
  reason: z.enum(['Completed', 'Error', 'OOMKilled']).optional(),
});

/** What one run of a container does. */
const run = z.strictObject({
  lines: z.array(logLine).optional(),
  logs: z.array(generator).optional(),
  exit: exit.optional().describe('without it the container runs until it is stopped'),
});

export const container = z.strictObject({
  name: namespaceName,
  kind: z.enum(['regular', 'init', 'sidecar', 'ephemeral']).default('regular'),
  image: z.string().default('registry.example.com/sim/app:1.0.0'),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  port: z.number().int().min(1).max(65535).optional(),
  spec: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('further fields of the container, as in the API: readinessProbe, envFrom, volumeMounts...'),
  requests: z.record(z.string(), z.string()).optional(),
  limits: z.record(z.string(), z.string()).optional(),
  state: z
    .enum(['runs', 'bad-image', 'creating'])
    .default('runs')
    .describe('bad-image: never starts because the pull fails; creating: waits for a volume forever'),
  startError: z
    .enum(['not-found', 'no-such-file', 'permission-denied'])
    .optional()
    .describe('the runtime cannot start its command: exit code 128, StartError'),
  createError: z
    .string()
    .min(1)
    .optional()
    .describe('the runtime cannot create it: CreateContainerError with this message'),
  postStart: z
    .enum(['fails'])
    .optional()
    .describe('the hook after its start fails, and the kubelet kills the container'),
  probes: z.array(probeFailure).optional().describe('when probes of its spec fail'),
  runs: z.array(run).optional().describe('one per instance; the last one also for all later ones'),
  lines: z.array(logLine).optional(),
  logs: z.array(generator).optional(),
  exit: exit.optional(),
  stop: z
    .strictObject({
      after: duration.default('200ms'),
      code: z.number().int().min(0).max(255).default(0),
      lines: z.array(logLine).default([]),
      ignore: z.boolean().default(false).describe('it ends by SIGKILL at the end of the grace period'),
    })
    .optional()
    .describe('what it does on SIGTERM'),
});

/** What a container does, without its name and spec. */
export const containerBehavior = container.pick({
  state: true,
  runs: true,
  lines: true,
  logs: true,
  exit: true,
  stop: true,
  startError: true,
  createError: true,
  postStart: true,
  probes: true,
});

export type ContainerBehavior = z.infer<typeof containerBehavior>;
export type ScenarioContainer = z.infer<typeof container>;
export type ScenarioRun = z.infer<typeof run>;
export type ScenarioGenerator = z.infer<typeof generator>;
export type ScenarioLine = z.infer<typeof logLine>;
