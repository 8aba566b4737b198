/** A key with its modifiers, in this order: `n`, `Shift n`, `Ctrl k`, `ArrowUp`, `Space`. */
export type Chord = string;

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/**
 * Returns the chord of a key press. Ctrl also stands for the Command key. Shift counts only with letters and
 * named keys: some keyboards need it for characters such as `?` and `/`, others do not.
 */
export function chordOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress): Chord {
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key;
  const countsShift = name.length > 1 || /\p{L}/u.test(name);
  const keyNames = [
    altKey ? 'Alt' : '',
    ctrlKey || metaKey ? 'Ctrl' : '',
    shiftKey && countsShift ? 'Shift' : '',
    name,
  ];
  return keyNames.filter((keyName) => keyName !== '').join(' ');
}

/** Several keys with one description, and the command of each. */
export interface KeyLine<C> {
  readonly meaning: string;
  readonly keys: Readonly<Record<Chord, C>>;
  /** Additional keys that users know from elsewhere; help does not show them. */
  readonly also?: Readonly<Record<Chord, C>>;
}

/** Returns the command of a key press; undefined leaves the key to the browser. */
export function commandOf<C>(lines: readonly KeyLine<C>[], press: KeyPress): C | undefined {
  const chord = chordOf(press);
  for (const { keys, also = {} } of lines) {
    if (Object.hasOwn(keys, chord)) return keys[chord];
    if (Object.hasOwn(also, chord)) return also[chord];
  }
  return undefined;
}

const SHOWN: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓' };

/** Formats a chord for help and tooltips: `Shift n`, `Ctrl K`, `↑`. */
export function chordText(chord: Chord): string {
  const shown = chord.split(' ').map((keyName) => SHOWN[keyName] ?? keyName);
  return shown[0] === 'Ctrl'
    ? shown.map((shownKey) => shownKey.charAt(0).toUpperCase() + shownKey.slice(1)).join(' ')
    : shown.join(' ');
}

/** Formats a chord for `aria-keyshortcuts`: `Shift+n`, `Control+k`. */
export function ariaChord(chord: Chord): string {
  return chord.replace(/^Ctrl\b/, 'Control').replaceAll(' ', '+');
}
