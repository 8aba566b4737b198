import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import type { Candidate } from './candidate.ts';
import type { LiveCluster } from './live-cluster.ts';

/**
 * A requirement of a selector up to its value: `app=`, `tier!=`, `env in (a,`; otherwise the beginning of a
 * key.
 */
const REQUIREMENT = /^(?<key>[^=!,()\s]+)\s*(?:[!=]?=\s*|\s(?:not)?in\s*\((?:[^(),]*,)*\s*)/;

/**
 * Offers what a label selector can become: keys of pod labels, then values of that key. `namespace`: that of
 * the pods; undefined means the context's.
 */
export async function offerLabels(
  typed: string,
  namespace: string | undefined,
  live: () => Promise<LiveCluster>,
): Promise<readonly Candidate[]> {
  const cluster = await live();
  const scope = namespace ?? cluster.client.cluster.namespace;
  const pairs = await cluster.list(PODS, scope.includes('*') ? {} : { namespace: scope }, pairsOf, 'labels');
  const begin = beginOfLast(typed);
  const [before, last] = [typed.slice(0, begin), typed.slice(begin)];
  const { 0: fixed = '', groups } = REQUIREMENT.exec(last) ?? {};
  const labels = pairs.map(({ value }) => [value.slice(0, value.indexOf('=')), value] as const);
  const key = groups?.key;
  if (key === undefined) {
    // `!app`: pods without this label.
    const sign = last.startsWith('!') ? '!' : '';
    const keys = [...new Set(labels.map(([name]) => name))];
    return keys.map((name) => ({ value: `${before}${sign}${name}${sign === '' ? '=' : ''}` }));
  }
  return labels
    .filter(([name]) => name === key)
    .map(([name, pair]) => ({ value: before + fixed + pair.slice(name.length + 1) }));
}

/**
 * Returns the position after the last comma that separates requirements; commas in parentheses separate
 * values.
 */
function beginOfLast(typed: string): number {
  const open = typed.lastIndexOf('(');
  const isInside = open > typed.lastIndexOf(')');
  return typed.lastIndexOf(',', isInside ? open : undefined) + 1;
}

function pairsOf({ metadata: { labels = {} } }: KubeObject): readonly Candidate[] {
  return Object.entries(labels).map(([key, value]) => ({ value: `${key}=${value}` }));
}
