import { type ComponentType, createContext, useContext } from 'react';
import type { EntryId, Row } from '../../worker/protocol/protocol.ts';
import type { LogWorker } from '../../worker/session/log-worker-client.ts';
import type { ConsoleSession } from '../session/console-session.ts';
import type { ConsoleState } from '../state/console-state.ts';
import type { ZoneClock } from '../state/zone-time.ts';
import type { ConsoleUrl, SetUrl } from '../url/console-url.ts';

/** The properties of every tool of the console (search, facets, histogram, range, download). */
export interface ToolProps {
  readonly state: ConsoleState;
  readonly session: ConsoleSession;
  readonly worker: LogWorker;
  readonly url: ConsoleUrl;
  readonly setUrl: SetUrl;
  /** The clock of the chosen time zone. */
  readonly clock: ZoneClock;
}

/** The tree below a JSON line. Its height may change at any time; the rows around it move. */
export interface JsonTreeProps {
  readonly row: Extract<Row, { readonly kind: 'line' }>;
  readonly setUrl: SetUrl;
  readonly url: ConsoleUrl;
  /** Returns the focus to the log (Escape, or an arrow key beyond the first item). */
  readonly onLeave: () => void;
  readonly onClose: (entry: EntryId) => void;
}

/** The actions for a field of a row, at the field itself. */
export interface PairBarProps {
  readonly row: Extract<Row, { readonly kind: 'line' }>;
  /** Index of the field among those that the row shows. */
  readonly at: number;
  /** The field's position in the window, px. */
  readonly anchor: { readonly leftPx: number; readonly topPx: number; readonly bottomPx: number };
  readonly url: ConsoleUrl;
  readonly setUrl: SetUrl;
  readonly onClose: () => void;
}

/** The tools of the console, passed in so that it imports none of them. */
export interface ConsoleSlots {
  readonly Search: ComponentType<ToolProps>;
  readonly Histogram: ComponentType<ToolProps>;
  readonly Facets: ComponentType<ToolProps>;
  readonly Why: ComponentType<ToolProps>;
  readonly Range: ComponentType<ToolProps>;
  readonly Download: ComponentType<ToolProps>;
  /** Downloads inside a menu, if there is no space for a button. */
  readonly DownloadItems: ComponentType<{ readonly tools: ToolProps; readonly close: () => void }>;
  readonly JsonTree: ComponentType<JsonTreeProps>;
  readonly PairBar: ComponentType<PairBarProps>;
}

export const SlotsContext = createContext<ConsoleSlots | undefined>(undefined);

/** The tools of the surrounding console. Throws outside of one. */
export function useSlots(): ConsoleSlots {
  const slots = useContext(SlotsContext);
  if (slots === undefined) throw new Error('useSlots outside of the console');
  return slots;
}
