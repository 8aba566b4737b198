import { z } from 'zod';
import { COLUMN_NAMES } from '../domain/columns.ts';
import { WireError } from './error.ts';

/** A context of the kubeconfig, or the cluster that the server runs in. Nothing of its credentials. */
export const Context = z.object({
  name: z.string(),
  /** Server's URL without user or password. */
  server: z.string(),
  /** Of sources that name none. Absent where the server shows others only. */
  namespace: z.string().optional(),
  isCurrent: z.boolean(),
  reachability: z.enum(['unknown', 'reachable', 'unreachable']),
  /** `v1.35.0`, where it was asked already. */
  version: z.string().optional(),
  nodes: z.int().nonnegative().optional(),
  error: WireError.optional(),
});
export type Context = z.infer<typeof Context>;

/** `revision` grows with each new reading of the kubeconfig. `error`: the present file is unreadable. */
export const ContextList = z.object({
  revision: z.int().nonnegative(),
  contexts: z.array(Context),
  error: WireError.optional(),
});
export type ContextList = z.infer<typeof ContextList>;

export const Namespace = z.object({
  name: z.string(),
  /** Present when the namespace may not be listed: which right is missing. */
  denied: WireError.optional(),
});
export const NamespaceList = z.object({
  namespaces: z.array(Namespace),
  /** Namespaces themselves may not be listed: those above are the ones that are known by name. */
  partial: WireError.optional(),
});
export type NamespaceList = z.infer<typeof NamespaceList>;

export const Info = z.object({
  version: z.string(),
  auth: z.enum(['none', 'token', 'kubernetes']),
  /** Who is signed in (`kubernetes`), if that is known. */
  user: z.string().optional(),
  /** Empty: all. */
  allowedNamespaces: z.array(z.string()),
  columns: z.array(z.enum(COLUMN_NAMES)),
  isInCluster: z.boolean(),
  /** The in-cluster agent, which gives sizes and sparklines. Not part of this version. */
  agent: z.boolean(),
});
export type Info = z.infer<typeof Info>;

/** The token that state-changing and streaming requests carry in the header `x-logtool-token`. */
export const PageToken = z.object({ token: z.string(), expiresAt: z.string().optional() });
export type PageToken = z.infer<typeof PageToken>;

export const AccessRequest = z.object({
  sources: z.array(z.string().min(1).max(600)).min(1).max(200),
});
/** Which of the rights that reading these sources takes are missing. */
export const AccessAnswer = z.object({
  missing: z.array(WireError),
});
export type AccessAnswer = z.infer<typeof AccessAnswer>;
