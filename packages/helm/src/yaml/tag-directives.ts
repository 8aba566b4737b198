import type { Scanner } from './scan/scanner.ts';
import type { YamlError } from './yaml-error.ts';

const DEFAULT_PREFIXES: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

/** Reads the directives before a document: its tag handles with their meanings. */
export function tagDirectives(
  scanner: Scanner,
  error: (problem: string, line: number) => YamlError,
): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>();
  let hasVersion = false;
  for (let token = scanner.peek(); token.directive !== undefined; token = scanner.peek()) {
    const { directive, line } = token;
    if (directive.type === 'version') {
      if (hasVersion) throw error('found duplicate %YAML directive', line);
      if (`${directive.major}.${directive.minor}` !== '1.1')
        throw error('found incompatible YAML document', line);
      hasVersion = true;
    } else if (prefixes.has(directive.handle)) {
      throw error('found duplicate %TAG directive', line);
    } else {
      prefixes.set(directive.handle, directive.prefix);
    }
    scanner.next();
  }
  for (const [handle, prefix] of DEFAULT_PREFIXES) {
    if (!prefixes.has(handle)) prefixes.set(handle, prefix);
  }
  return prefixes;
}
