import type { ColumnName } from '../../../domain/columns.ts';
import type { FacetName } from '../../worker/session/facet-table.ts';

/** A column of the log, or a field of its lines shown as one: a path of JSON, a key of other formats. */
export type ConsoleColumn = ColumnName | `json:${string}`;

/**
 * What is on or off, and off unless a link has it: switches of the search, matching lines only, wrapped lines,
 * stack traces line by line, lines as programs wrote them, and equal lines that follow one another as one row.
 */
export const SWITCHES = ['case', 'word', 'regex', 'only', 'wrap', 'flat', 'raw', 'equal'] as const;

type Switches = { readonly [S in (typeof SWITCHES)[number]]?: boolean };

/**
 * All state of the console that a link carries: the search parameters of its URL. Omitted ones have their
 * defaults.
 */
export interface ConsoleUrl extends Switches {
  /** Context of the kubeconfig. */
  readonly ctx: string;
  /** Source arguments, `shop:deployments/web`. */
  readonly src: readonly string[];
  /** Range: a duration ending now (`15m`, `2h`), or RFC 3339 times. Without any: the newest lines. */
  readonly last?: string;
  readonly from?: string;
  readonly to?: string;
  /** Whether it is opened following, if that is not as the range has it: only the newest lines are followed. */
  readonly follow?: boolean;
  readonly q?: string;
  readonly inc?: Readonly<Partial<Record<FacetName, readonly string[]>>>;
  readonly exc?: Readonly<Partial<Record<FacetName, readonly string[]>>>;
  /** `path=value`, `!path=value`. */
  readonly fields?: readonly string[];
  /** Which events of the cluster are shown, if not those that need a look and what belongs to them. */
  readonly events?: 'none' | 'all';
  /** Words of events that are not shown (`Unhealthy`). */
  readonly mute?: readonly string[];
  /** Columns between the time and the message, and fields of lines shown as columns (`json:route`). */
  readonly cols?: readonly ConsoleColumn[];
  /** `local` (default), `utc` or an IANA name. */
  readonly tz?: string;
  /** One exact line: Row.link. */
  readonly line?: string;
  /** Lines that are kept on a list. */
  readonly pins?: readonly Pin[];
}

/** A line that is kept on a list, with what somebody wrote about it. */
export interface Pin {
  /** Row.link */
  readonly link: string;
  /** Empty: nothing. */
  readonly note: string;
}
