import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError, CodedOf } from '@logtool/kube/src/values/coded-error.ts';
import type { ResolveNotices } from '../domain/notice.ts';
import type { NodeLabels } from './placement/node-labels.ts';
import type { FoundObject, SourcePlan } from './resolve.ts';
import type { LabelSelector } from './sources/label-selector.ts';
import type { Suggestions } from './sources/suggestions.ts';
import type { FirstReads } from './track/first-reads.ts';
import type { OwnerTree } from './track/owner-tree.ts';
import type { TargetSet } from './track/target-set.ts';

/** The state that all sources of one resolution share. */
export interface ResolveContext {
  readonly client: KubeClient;
  readonly plan: SourcePlan;
  /** The parsed plan.selector. Has no conditions if there is none. */
  readonly selector: LabelSelector;
  readonly follow: boolean;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly targets: TargetSet;
  readonly owners: OwnerTree;
  readonly nodes: NodeLabels;
  readonly reads: FirstReads;
  readonly suggestions: Suggestions;
  /**
   * Reports each notice once. Notices about the same thing carry its name in `about`, and only the first is reported.
   */
  readonly notice: Notice;
  readonly failed: (error: CodedError) => void;
  /** See `Resolve`. */
  readonly onObject: ((found: FoundObject) => void) | undefined;
}

/** `cause`: the failure whose effect the notice reports. */
export type Notice = (
  notice: CodedOf<ResolveNotices>,
  options?: { readonly about?: string | undefined; readonly cause?: CodedError | undefined },
) => void;
