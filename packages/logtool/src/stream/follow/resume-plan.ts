import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';

/** What of one container was taken in already. */
export interface ResumePoint {
  /** ID of the newest run that was seen; empty where it was not known. */
  readonly runId: string;
  /** Time of its newest line; undefined: no line was seen. */
  readonly at: Timestamp | undefined;
}

/**
 * Where a reader that was cut off takes up again. Known containers go on at their place; lines of the last seconds in
 * front of it come again, so that none is lost whatever their order in the file, and the reader drops those it has.
 */
export interface ResumePlan {
  /**
   * Containers that are not known, or of which no line was seen, are read from here; undefined: from their first line.
   * Nothing in front of it comes again of a container whose known line lies behind it.
   */
  readonly since: Timestamp | undefined;
  /** By ContainerTarget.id. */
  readonly points: ReadonlyMap<string, ResumePoint>;
}
