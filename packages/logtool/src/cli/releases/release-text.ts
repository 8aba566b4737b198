import { chartText } from '@logtool/helm/src/release/chart-text.ts';
import type { Release } from '@logtool/helm/src/release/release.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { sanitizeLines } from '../output/text-table.ts';

/** Formats a release for people: its facts and its notes. */
export function releaseText(release: Release): string {
  const { name, namespace, version, info, chart } = release;
  const rows = [
    ['NAME', name],
    ['NAMESPACE', namespace],
    ['REVISION', String(version)],
    ['STATUS', info.status],
    ['CHART', chartText(release)],
    ['APP VERSION', chart.metadata.appVersion ?? ''],
    ['DEPLOYED', info.lastDeployed === undefined ? '' : timeText(info.lastDeployed)],
    ['DESCRIPTION', info.description],
  ] as const;
  const head = rows
    .filter(([, value]) => value !== '')
    .map(([title, value]) => `${`${title}:`.padEnd(13)}${sanitizeText(value)}\n`);
  const notes = sanitizeLines(info.notes.trim());
  return head.join('') + (notes === '' ? '' : `\n${notes}\n`);
}

/** Formats `2026-11-21 10:20:30 UTC`, without fractions of a second. */
export function timeText(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
