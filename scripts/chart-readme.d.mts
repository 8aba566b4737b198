/** The text of charts/logtool/README.md, made from the chart's schema and values. */
export function chartReadme(): string;
