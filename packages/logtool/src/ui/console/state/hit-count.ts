import type { BufferStatus, ScanStatus } from '../../worker/protocol/protocol.ts';

/** What was counted of the hits beyond the loaded lines; undefined: nothing. */
export function hitScanOf({ hitScan, scan }: BufferStatus): ScanStatus | undefined {
  return hitScan ?? scan;
}

/** Returns the number of hits in the range that was counted; if none was, in the loaded lines that were searched. */
export function countHits(status: BufferStatus): number {
  const { search } = status;
  const scan = hitScanOf(status);
  return scan?.hits ?? search.hits;
}
