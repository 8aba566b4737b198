/** Files that a node rotated away: skip them, read them with the newest one, or read only them. */
export const ROTATED_CHOICES = ['no', 'auto', 'only'] as const;
export type RotatedChoice = (typeof ROTATED_CHOICES)[number];
