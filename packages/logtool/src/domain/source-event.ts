import type { Coded, CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { ContainerTarget } from './container.ts';

/** What resolution tells the engine, in order. Before `synced` come the containers that exist now. */
export type SourceEvent =
  | { readonly type: 'added'; readonly target: ContainerTarget }
  | { readonly type: 'changed'; readonly target: ContainerTarget }
  /** The pod was deleted (or no longer matches). Its last lines may still be on their way. */
  | { readonly type: 'gone'; readonly target: ContainerTarget }
  /**
   * The containers that exist now are all said. `open`: more may come later (a workload, a glob, a selector);
   * with false the set is closed (bare pods, finished Jobs).
   */
  | { readonly type: 'synced'; readonly open: boolean }
  /** The whole set became closed or open later (a Job that completed). */
  | { readonly type: 'closing'; readonly open: boolean }
  /**
   * Something that the reader should know but that ends nothing: a missing right, polling instead of watching. Of
   * the whole cluster tell the codes `cluster-away` (no connection), `cluster-refuses` (no connection as this user) and
   * `cluster-back`, which ends both. `cause`: the failure that the text tells the effect of.
   */
  | { readonly type: 'notice'; readonly code: string; readonly text: string; readonly cause?: CodedError }
  /** One source argument failed (not found, forbidden); the others go on. */
  | { readonly type: 'failed'; readonly error: CodedError };

/** What can go wrong between source arguments and containers: each code with its data. */
export interface ResolveFailures {
  /** Filters by these fields of a node cannot be applied; `refusal` says why. */
  'nodes-forbidden': { readonly fields: readonly string[]; readonly refusal: Coded };
}
