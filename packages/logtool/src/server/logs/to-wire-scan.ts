import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type * as contract from '../../contract/log-frame.ts';
import type { ScanFrame } from '../../domain/coverage/scan.ts';

/** A frame that only a scan has, as the contract has it. */
export function toWireScan(
  frame: Extract<ScanFrame, { readonly type: 'counts' | 'coverage' | 'scanning' | 'scanned' }>,
  q: number,
): contract.ScanFrame {
  switch (frame.type) {
    case 'counts': {
      const buckets = frame.buckets.map(({ fromMs, lines, matches }) => ({
        fromMs,
        lines: [...lines],
        matches: [...matches],
      }));
      return { type: 'counts', q, id: frame.target.id, bucketMs: frame.bucketMs, buckets };
    }
    case 'coverage': {
      const { target, from, to, position } = frame;
      return {
        type: 'coverage',
        q,
        id: target.id,
        from: from && formatTimestamp(from),
        to: to && formatTimestamp(to),
        position: position && { at: formatTimestamp(position.at), shown: position.shown },
      };
    }
    case 'scanning':
      return { ...frame, q };
    case 'scanned': {
      const incomplete = frame.incomplete.map(({ id }) => id);
      return { ...frame, q, incomplete };
    }
  }
}
