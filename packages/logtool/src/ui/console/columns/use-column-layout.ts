import { useMemo, useState } from 'react';
import { identityOf } from '../../../domain/speakers/hues.ts';
import { speakerNames } from '../../../domain/speakers/speaker-names.ts';
import type { ConsoleState } from '../state/console-state.ts';
import type { ConsoleColumn } from '../url/console-url.ts';
import { type ColumnLayout, type ColumnWidths, storedWidths, storeWidths } from './column-widths.ts';

interface ColumnControl {
  readonly layout: ColumnLayout;
  /** Short names of containers, by `identityOf`, to show beside their hues; undefined: no names. */
  readonly speakers: ReadonlyMap<string, string> | undefined;
  readonly resize: (column: ConsoleColumn, px: number) => void;
}

/** The column widths in this browser, and the container names, shown if there are at least two containers. */
export function useColumnLayout(
  sources: ConsoleState['sources'],
  columns: readonly ConsoleColumn[],
): ColumnControl {
  const [widths, setWidths] = useState<ColumnWidths>(storedWidths);
  const isNamed = columns.includes('dot') && !columns.includes('pod');
  const shown = isNamed ? sources.filter(({ isRemoved }) => !isRemoved) : [];
  const key = [...new Set(shown.map(identityOf))].join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts of lines change all the time and are not drawn here
  const speakers = useMemo(() => (key.includes('\n') ? speakerNames(shown) : undefined), [key]);
  const speakerChars = Math.max(0, ...[...(speakers?.values() ?? [])].map(({ length }) => length));
  const layout = useMemo(() => ({ widths, speakerChars }), [widths, speakerChars]);
  const resize = (column: ConsoleColumn, px: number) => {
    const next = { ...widths, [column]: px };
    storeWidths(next);
    setWidths(next);
  };
  return { layout, speakers, resize };
}
