const TEXTS = {
  gone: 'This line is no longer in the logs',
  unread: 'logtool cannot read all of the logs at this time',
} as const;

/** Text in place of a pinned line that cannot be shown; undefined: it is being read. */
export function pinText(state: keyof typeof TEXTS | undefined): string {
  return state === undefined ? 'Reading the line…' : TEXTS[state];
}
