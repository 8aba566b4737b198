/** A table or text for people, or all data for programs. */
export const OUTPUT_KINDS = ['table', 'json', 'yaml'] as const;
export type OutputKind = (typeof OUTPUT_KINDS)[number];
