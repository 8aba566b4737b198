const TEXTS = {
  gone: 'This line is not in the logs any more',
  unread: 'Not all of the logs at this time can be read',
} as const;

/** Text in place of a pinned line that cannot be shown; undefined: it is being read. */
export function pinText(state: keyof typeof TEXTS | undefined): string {
  return state === undefined ? 'Reading the line…' : TEXTS[state];
}
