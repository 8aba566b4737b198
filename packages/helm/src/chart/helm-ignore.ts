import { posix } from 'node:path';
import { pathPattern } from './path-pattern.ts';

interface IgnoreRule {
  readonly matches: (path: string) => boolean;
  readonly isNegated: boolean;
  readonly isForDirectories: boolean;
}

/** Whether to exclude a path of the chart's directory. */
export type Ignore = (path: string, isDirectory: boolean) => boolean;

/** Hidden files are never templates. */
const DEFAULT_RULE = 'templates/.?*';

/**
 * Reads `.helmignore`: one pattern a line, `#` comments, a leading `!` for exceptions, a trailing `/` for
 * directories, a leading `/` for the top only. https://helm.sh/docs/chart_template_guide/helm_ignore_file/
 * @throws PatternError
 */
export function readHelmIgnore(text: string): Ignore {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const rules = [...lines, DEFAULT_RULE].map((line) => line.trim()).flatMap(readRule);
  return (path, isDirectory) => isIgnored(rules, path, isDirectory);
}

function readRule(line: string): IgnoreRule[] {
  if (line === '' || line.startsWith('#')) return [];
  if (line.includes('**')) throw new Error('double-star (**) syntax is not supported');
  const isNegated = line.startsWith('!');
  const rule = isNegated ? line.slice(1) : line;
  const isForDirectories = rule.endsWith('/');
  const pattern = isForDirectories ? rule.slice(0, -1) : rule;
  const isAnchored = pattern.startsWith('/');
  const matchesPath = pathPattern(isAnchored ? pattern.slice(1) : pattern);
  const isName = !pattern.includes('/');
  return [
    { matches: (path) => matchesPath(isName ? posix.basename(path) : path), isNegated, isForDirectories },
  ];
}

/** The first matching rule decides; a negated rule excludes everything that it does not match. */
function isIgnored(rules: readonly IgnoreRule[], path: string, isDirectory: boolean): boolean {
  for (const { matches, isNegated, isForDirectories } of rules) {
    const isMatch = (isDirectory || !isForDirectories) && matches(path);
    if (isMatch !== isNegated) return true;
  }
  return false;
}
