import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { FirstLooks } from './first-looks.ts';
import type { LabelSelector } from './label-selector.ts';
import type { NodeLabels } from './node-labels.ts';
import type { OwnerTree } from './owner-tree.ts';
import type { SourcePlan } from './resolve.ts';
import type { Suggestions } from './suggestions.ts';
import type { TargetSet } from './target-set.ts';

/** What all sources of one resolution share. */
export interface ResolveContext {
  readonly client: KubeClient;
  readonly plan: SourcePlan;
  /** plan.selector, read; no conditions when there is none. */
  readonly selector: LabelSelector;
  readonly follow: boolean;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly targets: TargetSet;
  readonly owners: OwnerTree;
  readonly nodes: NodeLabels;
  readonly looks: FirstLooks;
  readonly suggestions: Suggestions;
  /** Each text is said once; where several texts tell of the same thing, `about` is its name: that is said once. */
  readonly notice: (code: string, text: string, about?: string) => void;
  readonly failed: (error: LogtoolError) => void;
}
