import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { Choice } from './choice.ts';

/** Maximum rows of choices, so that the lines above stay visible. */
const MAX_ROWS = 15;
/** The question, the footer, the notices' line and the cursor's line. */
const OTHER_ROWS = 4;
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

export interface PickerState {
  readonly typed: string;
  readonly matching: readonly Choice[];
  /** Number of choices, regardless of the filter. */
  readonly total: number;
  /** Index in `matching` of the choice that Enter opens. */
  readonly cursor: number;
  readonly selected: ReadonlySet<string>;
  readonly notices: readonly string[];
  /** The user pressed Enter, and there is nothing to open. */
  readonly isEmpty: boolean;
}

export interface PickerScreen {
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly color: boolean;
}

/** Renders the picker as lines of a terminal, none wider than the terminal. */
export function pickerFrame(state: PickerState, screen: PickerScreen): string {
  const columns = screen.columns ?? DEFAULT_COLUMNS;
  const paint = screen.color ? (code: string, text: string) => `\x1b[${code}m${text}\x1b[0m` : plain;
  const clip = (text: string) => text.slice(0, Math.max(1, columns - 1));
  const lines = [paint('1', clip(`Open logs of: ${sanitizeText(state.typed)}█`))];
  lines.push(...choiceLines(state, screen, { clip, paint }));
  if (state.matching.length === 0)
    lines.push(paint(state.isEmpty ? '33' : '2', clip(`  nothing matches "${sanitizeText(state.typed)}"`)));
  if (state.notices.length > 0) lines.push(paint('33', clip(`  ${sanitizeText(state.notices.join('; '))}`)));
  lines.push(
    paint('2', clip(`  ${countText(state)} · type to filter · Tab selects · Enter opens · Esc quits`)),
  );
  return lines.join('\n');
}

interface Brush {
  readonly clip: (text: string) => string;
  readonly paint: (code: string, text: string) => string;
}

const plain = (_code: string, text: string) => text;

function choiceLines(state: PickerState, screen: PickerScreen, { clip, paint }: Brush): readonly string[] {
  const { matching, cursor, selected } = state;
  const room = Math.max(1, Math.min(MAX_ROWS, (screen.rows ?? DEFAULT_ROWS) - OTHER_ROWS));
  const first = Math.max(0, Math.min(cursor - Math.floor(room / 2), matching.length - room));
  const shown = matching.slice(first, first + room);
  const width = Math.max(0, ...shown.map(({ source }) => source.length));
  return shown.map((choice, index) => {
    const isFocused = first + index === cursor;
    const mark = `${isFocused ? '>' : ' '} ${selected.has(choice.source) ? '●' : '○'} `;
    const text = clip(`${mark}${sanitizeText(choice.source).padEnd(width)}  ${sanitizeText(choice.state)}`);
    if (choice.isFailing) return paint(isFocused ? '1;31' : '31', text);
    return isFocused ? paint('1', text) : text;
  });
}

function countText({ matching, total, selected }: PickerState): string {
  const found = matching.length === total ? `${total}` : `${matching.length} of ${total}`;
  return selected.size === 0 ? found : `${found}, ${selected.size} selected`;
}
