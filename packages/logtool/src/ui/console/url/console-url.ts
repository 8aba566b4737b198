import type { ColumnName } from '../../../domain/columns.ts';
import type { FacetName } from '../../worker/protocol/facet-table.ts';

/** A column of the log, or a field of its lines shown as a column: a JSON path, or a key of other formats. */
export type ConsoleColumn = ColumnName | `json:${string}`;

/**
 * Settings that are off unless a link turns them on: search options, only matching lines, wrapped lines, stack traces
 * line by line, lines as programs wrote them, consecutive equal lines as one row, and log files that nodes rotated away.
 */
export const SWITCHES = ['case', 'word', 'regex', 'only', 'wrap', 'flat', 'raw', 'equal', 'rotated'] as const;

type Switches = { readonly [S in (typeof SWITCHES)[number]]?: boolean };

/** All console state that a link carries: the search parameters of its URL. Omitted ones have their defaults. */
export interface ConsoleUrl extends Switches {
  /** Context of the kubeconfig. */
  readonly ctx: string;
  /** Source arguments, `shop:deployments/web`. */
  readonly src: readonly string[];
  /** Range: a duration ending now (`15m`, `2h`), or RFC 3339 times. Without any: the newest lines. */
  readonly last?: string;
  readonly from?: string;
  readonly to?: string;
  /** Whether the view follows when it opens, if not the range's default: only the newest lines follow. */
  readonly follow?: boolean;
  readonly q?: string;
  readonly inc?: Readonly<Partial<Record<FacetName, readonly string[]>>>;
  readonly exc?: Readonly<Partial<Record<FacetName, readonly string[]>>>;
  /** `path=value`, `!path=value`. */
  readonly fields?: readonly string[];
  /** Which events of the cluster are shown, if not the default: notable events and those that belong to them. */
  readonly events?: 'none' | 'all';
  /** Labels of events that are hidden (`Unhealthy`). */
  readonly mute?: readonly string[];
  /** Columns between the time and the message, and fields of lines shown as columns (`json:route`). */
  readonly cols?: readonly ConsoleColumn[];
  /** `local` (default), `utc` or an IANA name. */
  readonly tz?: string;
  /** One exact line: Row.link. */
  readonly line?: string;
  /** Pinned lines. */
  readonly pins?: readonly Pin[];
}

/** A pinned line, with the user's note. */
export interface Pin {
  /** Row.link */
  readonly link: string;
  /** Empty: no note. */
  readonly note: string;
}

/** Changes the state in the URL. `replace`: a change within the same view, which Back does not undo step by step. */
export type SetUrl = (
  change: { readonly [K in keyof ConsoleUrl]?: ConsoleUrl[K] | undefined },
  options?: { readonly replace?: boolean },
) => void;
