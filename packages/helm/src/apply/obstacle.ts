import type { Why } from '@logtool/kube/src/values/problems.ts';

/** Why an object is not yet, or no longer, in the wanted state, by its own status. */
export type Obstacle =
  | { readonly problem: ObstacleCode }
  /** `count` of the `wanted` pods are in the state `are`. */
  | {
      readonly problem: 'pods-missing';
      readonly count: number;
      readonly wanted: number;
      readonly are: 'ready' | 'new' | 'available';
    }
  /** It still exists; `finalizers` hold it if it is being deleted. */
  | { readonly problem: 'still-exists'; readonly finalizers: readonly string[] }
  /** The message of its controller, or of the cluster. */
  | { readonly problem: 'reported'; readonly message: Why };

/** Obstacles without data. */
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

/** What keeps an object from being ready, by its pods and events. */
export interface Trouble {
  readonly problem: TroubleProblem;
  /** The newest warning event about it. */
  readonly warning?: Warning | undefined;
  /** The number of other pods with the same trouble. */
  readonly otherPods: number;
}

export type TroubleProblem =
  | PodProblem
  /** `message`: from the controller that cannot create its pods. */
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
  /** `isPrevious`: another run has started since. */
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

/** The reason and message of a warning event. */
export interface Warning {
  readonly reason: string;
  readonly message: string;
}

/** An object that an action waits for, and what it lacks. */
export interface Pending {
  /** E.g. `Deployment "web" in namespace "shop"`. */
  readonly object: string;
  readonly obstacle: Obstacle;
  readonly trouble?: Trouble | undefined;
}

/** The state that an action waits for. */
export type Wanted = 'ready' | 'gone' | 'done';
