interface KeyTable {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, meaning: string])[];
}

/** Every key that the pages know, as the dialog behind `?` shows them. */
export const KEY_TABLES: readonly KeyTable[] = [
  {
    title: 'Everywhere',
    keys: [
      ['Ctrl K', 'Go to a workload, a context, a view'],
      ['?', 'These keys'],
      ['Escape', 'Close, or go back to the list'],
    ],
  },
  {
    title: 'Workloads',
    keys: [
      ['/', 'Find a workload'],
      ['↑ ↓', 'Go through the list'],
      ['Enter', 'Open; all that are selected, if any'],
      ['x', 'Select'],
    ],
  },
  {
    title: 'Logs',
    keys: [
      ['/', 'Search'],
      ['Enter, Shift Enter', 'Next hit, previous hit; on a JSON line its tree'],
      ['n, Shift n', 'Next hit, previous hit, from the log itself'],
      ['e, Shift e', 'Next error, previous error'],
      ['w, Shift w', 'Next warning, previous warning'],
      ['Space', 'Pause and go on'],
      ['f', 'Follow, or stay here'],
      ['End', 'Newest line, and follow'],
      ['Home', 'Beginning of the logs'],
      ['↑ ↓', 'Go from line to line; with Shift, select'],
      ['z', 'Wrap long lines, or cut them'],
      ['a', 'All lines around this one, whatever is filtered, and back'],
      ['c', 'Copy the selected lines, or this one'],
      ['l', 'Copy a link to this line'],
    ],
  },
];
