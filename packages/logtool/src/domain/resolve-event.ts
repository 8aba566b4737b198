import type { CodedError, CodedOf } from '@logtool/kube/src/values/coded-error.ts';
import type { ContainerTarget } from './container.ts';
import type { ResolveNotices } from './notice.ts';

/** Events from resolution to the engine, in order. The containers that exist now come before `synced`. */
export type ResolveEvent =
  | { readonly type: 'added'; readonly target: ContainerTarget }
  | { readonly type: 'changed'; readonly target: ContainerTarget }
  /** The pod was deleted (or no longer matches). Its last lines may still arrive. */
  | { readonly type: 'gone'; readonly target: ContainerTarget }
  /**
   * All containers that exist now have been sent. `open`: more may come later (a workload, a glob, a selector); false:
   * the set is closed (bare pods, finished Jobs).
   */
  | { readonly type: 'synced'; readonly open: boolean }
  /** The whole set closed or opened later (a completed Job). */
  | { readonly type: 'closing'; readonly open: boolean }
  /**
   * A notice that does not end the command: a missing permission, polling instead of watching. The codes about the
   * whole cluster are `cluster-away`, `cluster-refuses` and `cluster-back`, which ends both. `cause`: the failure that
   * the notice results from.
   */
  | (CodedOf<ResolveNotices> & { readonly type: 'notice'; readonly cause?: CodedError })
  /** One source argument failed (not found, forbidden); the others continue. */
  | { readonly type: 'failed'; readonly error: CodedError };
