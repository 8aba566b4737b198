import { z } from 'zod';
import type { ClusterControl } from './cluster-control.ts';

const text = z.string().min(1);
const podsTarget = {
  namespace: text.optional(),
  pod: text.optional(),
  workload: text.optional(),
  index: z.number().int().min(0).optional(),
};
const containerTarget = { ...podsTarget, container: text.optional() };
const stream = z.enum(['stdout', 'stderr']).optional();
const count = z.number().int().min(0).max(1_000_000);
const match = z.string().refine(isPattern, 'not a regular expression').optional();
const rule = z.strictObject({
  namespace: text.optional(),
  apiGroups: z.array(z.string()).default(['']),
  resources: z.array(z.string()).min(1),
  verbs: z.array(z.string()).min(1),
  resourceNames: z.array(z.string()).optional(),
});
const rules = z.array(rule);

/** The argument of each control function, for calls from another process. */
export const CALL_SCHEMAS = {
  writeLines: z.strictObject({
    ...containerTarget,
    text: z.union([z.string(), z.array(z.string())]).optional(),
    count: count.optional(),
    stream,
  }),
  writeBurst: z.strictObject({
    ...containerTarget,
    text: z.string().optional(),
    count,
    perSecond: z.number().positive().max(1_000_000),
    stream,
  }),
  rotateLog: z.strictObject(containerTarget),
  deletePod: z.strictObject({ ...podsTarget, gracePeriodSeconds: z.number().int().min(0).optional() }),
  crashContainer: z.strictObject({ ...containerTarget, code: z.number().int().min(0).max(255).optional() }),
  scale: z.strictObject({ namespace: text.optional(), workload: text, replicas: z.number().int().min(0) }),
  killServer: z.strictObject({}),
  restartServer: z.strictObject({ downMs: z.number().min(0).optional() }),
  dropWatches: z.strictObject({ match }),
  cutLogs: z.strictObject({ match, how: z.enum(['reset', 'end']).optional() }),
  routeAddress: z.strictObject({
    address: text,
    port: z.number().int().min(1).max(65_535),
    localPort: z.number().int().min(0).max(65_535),
  }),
  setRules: z.strictObject({ user: text, rules }),
  denyNamespace: z.strictObject({ user: text, namespace: text }),
  revokeToken: z.strictObject({ user: text }),
  renewToken: z.strictObject({ user: text }),
  renewCertificate: z.strictObject({ user: text }),
  addUser: z.strictObject({
    name: text,
    auth: z.enum(['token', 'certificate']).default('token'),
    groups: z.array(z.string()).default([]),
    namespace: text.optional(),
    expired: z.boolean().default(false),
    rules: rules.default([]),
  }),
  addContext: z.strictObject({ name: text, user: text, namespace: text.optional() }),
  removeContext: z.strictObject({ name: text }),
  kubeconfigOf: z.strictObject({ user: text }),
} satisfies Record<keyof ClusterControl, z.ZodType>;

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
