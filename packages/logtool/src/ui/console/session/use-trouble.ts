import { useState } from 'react';
import type { WireError } from '../../../contract/error.ts';
import type { ConsoleState } from '../state/console-state.ts';

/** Why no lines arrive: from the first failure until they may arrive again, including during retries. */
export function useTrouble({ status: { connection } }: ConsoleState): WireError | undefined {
  const [trouble, setTrouble] = useState<WireError | undefined>();
  const now = connection.state === 'reconnecting' ? connection.error : undefined;
  if (now !== undefined && now !== trouble) setTrouble(now);
  if (connection.state === 'live' && trouble !== undefined) setTrouble(undefined);
  return now ?? trouble;
}
