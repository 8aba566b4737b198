import { z } from 'zod';
import { COLUMN_NAMES } from '../domain/columns.ts';
import { WireError } from './error.ts';

/** A context of the kubeconfig, or the cluster that the server runs in, without any credentials. */
export const Context = z.object({
  name: z.string(),
  /** Server's URL without user or password. */
  server: z.string(),
  /** For sources that name none. Absent if the server shows only other namespaces. */
  namespace: z.string().optional(),
  isCurrent: z.boolean(),
  reachability: z.enum(['unknown', 'reachable', 'unreachable']),
  /** `v1.35.0`, if already requested. */
  version: z.string().optional(),
  nodes: z.int().nonnegative().optional(),
  error: WireError.optional(),
});
export type Context = z.infer<typeof Context>;

/** `revision` grows with each read of the kubeconfig. `error`: the current file is unreadable. */
export const ContextList = z.object({
  revision: z.int().nonnegative(),
  contexts: z.array(Context),
  error: WireError.optional(),
});
export type ContextList = z.infer<typeof ContextList>;

export const Namespace = z.object({
  name: z.string(),
  /** Present if the user may not list the namespace: the missing permission. */
  denied: WireError.optional(),
});
export const NamespaceList = z.object({
  namespaces: z.array(Namespace),
  /** The user may not list namespaces: those above are known by name. */
  partial: WireError.optional(),
});
export type NamespaceList = z.infer<typeof NamespaceList>;

export const Info = z.object({
  version: z.string(),
  auth: z.enum(['none', 'token', 'kubernetes']),
  /** Who is signed in (`kubernetes`), if known. */
  user: z.string().optional(),
  /** Empty means all. */
  allowedNamespaces: z.array(z.string()),
  columns: z.array(z.enum(COLUMN_NAMES)),
  isInCluster: z.boolean(),
  /** The in-cluster agent, which provides sizes and sparklines. Not part of this version. */
  agent: z.boolean(),
});
export type Info = z.infer<typeof Info>;

/** The token in the header `x-logtool-token` of state-changing and streaming requests. */
export const PageToken = z.object({ token: z.string(), expiresAt: z.string().optional() });
export type PageToken = z.infer<typeof PageToken>;

export const AccessRequest = z.object({
  sources: z.array(z.string().min(1).max(600)).min(1).max(200),
});
/** The permissions that are missing to read these sources. */
export const AccessAnswer = z.object({
  missing: z.array(WireError),
});
export type AccessAnswer = z.infer<typeof AccessAnswer>;
