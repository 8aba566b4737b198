/** Returns the text of charts/logtool/README.md, generated from the chart's schema and values. */
export function chartReadme(): string;
