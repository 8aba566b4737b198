import type { WireError } from '@logtool/logtool/src/contract/error.ts';
import { logMessageOf } from '@logtool/logtool/src/ui/messages/log-message-of.ts';

/** Returns an error of the server as the page shows it. */
export function onPage(error: WireError) {
  return { code: error.code, ...logMessageOf(error) };
}
