import type { LogWorker } from '../../worker/session/log-worker-client.ts';
import type { EntryId, Row } from '../../worker/session/protocol.ts';
import type { ConsoleUrl } from '../url/console-url.ts';
import type { ConsoleSession } from './console-session.ts';
import type { ConsoleState } from './console-state.ts';
import type { ZoneClock } from './zone-time.ts';

/** Changes the state in the URL. `replace`: a change of the same view, which Back does not undo step by step. */
export type SetUrl = (
  change: { readonly [K in keyof ConsoleUrl]?: ConsoleUrl[K] | undefined },
  options?: { readonly replace?: boolean },
) => void;

/** What every tool of the console (search, facets, histogram, range, download) is given. */
export interface ToolProps {
  readonly state: ConsoleState;
  readonly session: ConsoleSession;
  readonly worker: LogWorker;
  readonly url: ConsoleUrl;
  readonly setUrl: SetUrl;
  /** The clock of the chosen time zone. */
  readonly clock: ZoneClock;
}

/** The tree below a JSON line. Its height may change at any time; the rows around it make room. */
export interface JsonTreeProps {
  readonly row: Extract<Row, { readonly kind: 'line' }>;
  readonly setUrl: SetUrl;
  readonly url: ConsoleUrl;
  /** Gives the focus back to the log (Escape, or the arrow beyond the first item). */
  readonly onLeave: () => void;
  readonly onClose: (entry: EntryId) => void;
}
