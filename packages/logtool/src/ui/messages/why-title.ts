/** What the button reads that opens an explanation. */
export const WHY_BUTTON = 'Why?';

/** The name of the button, and of what it opens. */
export function whyTitle(name: string): string {
  return `Why ${name} is as it is`;
}
