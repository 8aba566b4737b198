import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogBackend } from '../../backend/log-backend.ts';
import type { FilterPlan } from '../../domain/filter.ts';
import type { Frame } from '../../domain/frame.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import type { Window } from '../../domain/window.ts';
import type { NamedPod } from '../../resolve/sources/named-pod.ts';

export interface EnginePlan {
  readonly window: Window;
  readonly filter: FilterPlan;
  /** Maximum containers to read simultaneously; others wait for their turn. */
  readonly maxLogRequests: number;
  /** Budget in bytes for searching back with grep and tail; 0 means no limit. */
  readonly searchLimitBytes: number;
  /**
   * Whether `end` should carry cursors (it may cost a cheap request for records beyond the window). Pages have no
   * context lines: context excludes this, and cursors as bounds.
   */
  readonly cursors: boolean;
  /** The printer wants message bytes only, so that one unfiltered container may be copied straight through. */
  readonly raw: boolean;
  /** Estimated lines of a run (keyText) after `window.to`: the search for its position starts there. */
  readonly afterTo?: ReadonlyMap<string, number> | undefined;
  /** The pod whose log is requested before resolution finishes (log-guess.ts). */
  readonly guess?: NamedPod | undefined;
  /**
   * Containers that have not answered within this time are left out of the window, as soon as it has records of others
   * or continues live. The window then begins with the time of its first record, and a follow delivers the others'
   * records from that time on when they answer. Undefined: the window waits for every container.
   */
  readonly patienceMs?: number | undefined;
  /**
   * Containers (ContainerTarget.id) to leave out of a window. Its cursors are between two times: a count would only
   * cover the records of the others.
   */
  readonly without?: ReadonlySet<string> | undefined;
  /**
   * How long a request that fails is repeated without progress, in ms: then its failure is reported, and the read goes on
   * with the next run. Undefined: as long as most outages of a node last.
   */
  readonly retryMs?: number | undefined;
  /**
   * How long a range waits for the next lines of a run before the current one, in ms: then it reports the gap, and reads
   * on with the next run. Undefined: as long as the connection lasts.
   */
  readonly previousMs?: number | undefined;
  /** Follows from given positions instead of reading a window: `window.from` applies only to other containers. */
  readonly resume?: ResumePlan | undefined;
}

/** The position up to which a reader has one container's records. */
export interface ResumePoint {
  /** ID of the newest known run; empty if unknown. */
  readonly runId: string;
  /** Time of its newest line; undefined if the reader has no line. */
  readonly at: Timestamp | undefined;
}

/**
 * Where a disconnected reader resumes. Known containers continue at their position; lines of the last seconds before it
 * come again, so that none is lost whatever their order in the file, and the reader drops duplicates.
 */
export interface ResumePlan {
  /**
   * Containers that are unknown, or without a known line, are read from here; undefined: from their first line. If a
   * container's known line is later, nothing before this point comes again.
   */
  readonly since: Timestamp | undefined;
  /** By ContainerTarget.id. */
  readonly points: ReadonlyMap<string, ResumePoint>;
}

export interface EngineContext {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The requesting person, if several people share the server: shared resources are divided by person. */
  readonly person?: string | undefined;
  /** Where logs are read; undefined: the log API. */
  readonly backend?: LogBackend | undefined;
}

/** The log engine: records of all containers, merged in the total order. Pull-driven: it reads ahead only on demand. */
export type ReadLogs = (
  context: EngineContext,
  sources: AsyncIterable<ResolveEvent>,
  plan: EnginePlan,
) => AsyncIterable<Frame>;
