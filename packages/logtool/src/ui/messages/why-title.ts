/** Label of the button that opens an explanation. */
export const WHY_BUTTON = 'Why?';

/** Accessible name of the button, and title of the dialog it opens. */
export function whyTitle(name: string): string {
  return `Why ${name} is in this state`;
}
