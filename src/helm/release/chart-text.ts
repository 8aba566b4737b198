import type { Release } from './release.ts';

/** `logtool-0.1.0` */
export function chartText({ chart }: Pick<Release, 'chart'>): string {
  return `${chart.metadata.name}-${chart.metadata.version}`;
}
