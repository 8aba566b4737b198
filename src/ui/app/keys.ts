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
      ['e, Shift e', 'Next error, previous error'],
      ['w, Shift w', 'Next warning, previous warning'],
      ['Space', 'Pause and go on'],
      ['End', 'Newest line, and follow'],
      ['Home', 'Oldest line that is loaded'],
    ],
  },
];
