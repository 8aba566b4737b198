import type { Segment } from './segments.ts';

/** A segment, or a part of one, that lies inside a hit (`hit` is its number) or outside of all hits. */
export interface MarkedSegment extends Segment {
  readonly hit: number | undefined;
}

type Hits = readonly (readonly [number, number])[];

/**
 * Cuts segments at the ends of hits. Hits are [start, end) in the segments' offsets, ascending and not
 * overlapping, as the worker returns them; hits that break this rule are skipped.
 */
export function markHits(segments: readonly Segment[], hits: Hits): readonly MarkedSegment[] {
  if (hits.length === 0) return segments.map((segment) => ({ ...segment, hit: undefined }));
  let next = 0;
  return segments.flatMap((segment) => {
    next = nextHit(hits, next, segment.start);
    if (segment.isWhole === true)
      return [{ ...segment, hit: isHitBy(hits[next], segment) ? next : undefined }];
    return splitAtHits(segment, hits, next);
  });
}

/** Cuts a segment at the ends of the hits, starting with hit number `from`. */
function splitAtHits(segment: Segment, hits: Hits, from: number): readonly MarkedSegment[] {
  const marked: MarkedSegment[] = [];
  let next = from;
  for (let at = segment.start; at < segment.end; ) {
    next = nextHit(hits, next, at);
    const [start, end] = hits[next] ?? [segment.end, segment.end];
    const isInside = start <= at;
    const stop = Math.min(segment.end, isInside ? end : start);
    marked.push({ ...cut(segment, at, stop), hit: isInside ? next : undefined });
    at = stop;
  }
  return marked;
}

/** Whether a hit overlaps a segment that is not empty. */
function isHitBy(hit: readonly [number, number] | undefined, { start, end }: Segment): boolean {
  return hit !== undefined && start < end && hit[0] < end;
}

/** Returns the number of the first hit, from `from` on, that ends after an offset. */
function nextHit(hits: readonly (readonly [number, number])[], from: number, at: number): number {
  let next = from;
  while (next < hits.length && (hits[next]?.[1] ?? 0) <= at) next++;
  return next;
}

function cut(segment: Segment, start: number, end: number): Segment {
  if (segment.isControl) return segment;
  return { ...segment, start, end, text: segment.text.slice(start - segment.start, end - segment.start) };
}
