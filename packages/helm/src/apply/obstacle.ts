import type { Why } from '@logtool/kube/src/values/problems.ts';

/** Why an object is not yet, or no longer, what it should be, by its own status. */
export type Obstacle =
  | { readonly problem: ObstacleCode }
  /** So many of the pods that it should have are what `are` says. */
  | {
      readonly problem: 'pods-missing';
      readonly count: number;
      readonly wanted: number;
      readonly are: 'ready' | 'new' | 'available';
    }
  /** It still exists; with the finalizers that hold it, if it is being deleted. */
  | { readonly problem: 'still-exists'; readonly finalizers: readonly string[] }
  /** In the words of its controller, or of the cluster. */
  | { readonly problem: 'reported'; readonly message: Why };

/** What needs no data. */
export type ObstacleCode =
  | 'absent'
  | 'being-deleted'
  | 'change-not-seen'
  | 'not-seen'
  | 'not-started'
  | 'not-ended'
  | 'no-volume'
  | 'no-address'
  | 'names-taken'
  | 'not-served'
  | 'no-progress'
  | 'previous-pods'
  | 'reconciling'
  | 'stalled'
  | 'not-ready'
  | 'failed'
  | 'job-failed'
  | 'pod-failed';

/** What keeps an object from being ready, as pods and events show it. */
export interface Trouble {
  readonly problem: TroubleProblem;
  /** What the newest event about it warns of. */
  readonly warning?: Warning | undefined;
  /** More pods that have the same trouble. */
  readonly otherPods: number;
}

export type TroubleProblem =
  | PodProblem
  /** `message`: in the words of the controller that cannot make its pods. */
  | { readonly of: 'refused-pods'; readonly message?: string | undefined }
  | ({ readonly of: 'event' } & Warning);

export type PodProblem =
  | { readonly of: 'unscheduled'; readonly pod: string; readonly message: string }
  | {
      readonly of: 'failed';
      readonly pod: string;
      readonly reason?: string | undefined;
      readonly message?: string | undefined;
    }
  | { readonly of: 'not-ready' | 'not-started'; readonly pod: string }
  | ({ readonly of: 'container-waiting'; readonly reason: string; readonly message: string } & ContainerRef)
  | ({
      readonly of: 'container-crashing';
      readonly reason: string;
      readonly end: ContainerEnd;
    } & ContainerRef)
  /** `isPrevious`: another run has begun since. */
  | ({
      readonly of: 'container-ended';
      readonly end: ContainerEnd;
      readonly isPrevious: boolean;
    } & ContainerRef);

export interface ContainerRef {
  readonly pod: string;
  readonly container: string;
}

/** How a run ended, as far as the kubelet reports it. */
export interface ContainerEnd {
  readonly exitCode?: number | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/** A warning as an event has it. */
export interface Warning {
  readonly reason: string;
  readonly message: string;
}

/** An object that is waited for, and what keeps it. */
export interface Pending {
  /** `Deployment "web" in namespace "shop"` */
  readonly object: string;
  readonly obstacle: Obstacle;
  readonly trouble?: Trouble | undefined;
}

/** What objects are waited to be. */
export type Wanted = 'ready' | 'gone' | 'done';
