import { NO_STATUS } from '@logtool/logtool/src/ui/console/state/console-state.ts';
import type { BufferStatus } from '@logtool/logtool/src/ui/worker/protocol/protocol.ts';

/** The status of a followed view of which every line is loaded. */
export function wholeStatus(lines: number): BufferStatus {
  return {
    ...NO_STATUS,
    loading: 'none',
    connection: { state: 'live' },
    isWhole: true,
    atBeginning: true,
    atEnd: true,
    lines,
  };
}
