import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { ROOT } from './measures/source-files.ts';

/** Words that identifiers must not contain -> the field's terms. */
const GLOSSARY: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:most|longest|largest|fewest)\b/, 'MAX_'],
  [/\bleast\b/, 'MIN_'],
  [/\bfew\b/, 'MAX_ or MIN_'],
  [/\b(?:behind|in front)\b/, 'after, before'],
  [/\b(?:tell|tells|told|telling|said|voices?)\b/, 'report, notify, message'],
  [/\bnews\b/, 'change, event'],
  [/\bstruggles?\b/, 'backoff'],
  [/\brevivals?\b/, 'retry'],
  [/\bdeparted\b/, 'removed'],
  [/\blast words?\b/, 'finalLines'],
  [/\b(?:mend|mends|mended|mending)\b/, 'repair'],
  [/\bharmless\b/, 'escaped'],
  [/\b(?:look|looks|looked|looking) ?(?:once|at|again)?\b/, 'fetch, inspect'],
  [/\b(?:is|are) there\b|. there$/, 'exists'],
  [/\bof before\b/, 'previous'],
  [/\bwhat counts\b/, 'effective'],
  [/\balone\b/, 'only'],
  [/\b(?:places?|parts?)\b/, 'position, range, segment'],
  [/\bwords?\b/, 'report, notify, message, name, token'],
];

/** Names given by other interfaces or by the field, each with the files that may use it. */
const FIELD_NAMES: ReadonlyMap<string, RegExp> = new Map([
  // https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/Intl/DateTimeFormat/formatToParts
  ['formatToParts', /./],
  ['DateTimeFormatPartTypes', /./],
  // The search option that editors call "Match whole word", and its parameter in addresses of the page.
  [
    'wholeWord',
    /\/(?:ui|search|contract)\/|^bench\/log-worker\.ts$|scan-route|kept-scan|compile-search|row-sieve|suites\/truth\//,
  ],
  ['word', /\/ui\/(?:search\/search-bar\.tsx|json-tree\/search-change|console\/)/],
]);

/** Splits CONSTANT_CASE and camelCase into words; only constants can be named after a maximum. */
function phraseOf(identifier: string): string {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_$#]+/g, ' ')
    .trim()
    .toLowerCase();
}

function faultOf(identifier: string): string | undefined {
  const phrase = phraseOf(identifier);
  const isConstant = /^[A-Z][A-Z0-9_]+$/.test(identifier);
  for (const [pattern, instead] of GLOSSARY) {
    if (/^MAX_$|^MIN_$/.test(instead) && !isConstant) continue;
    if (pattern.test(phrase)) return `${identifier}: ${instead}`;
  }
  return undefined;
}

/**
 * Returns every name that a file uses, both its own and imported ones; texts, comments and patterns contain
 * none.
 */
function identifiersOf(code: string, file: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, name } = node as { type?: string; name?: unknown };
    if (/^(?:Private|JSX)?Identifier$/.test(type ?? '') && typeof name === 'string') found.add(name);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, code).program);
  return found;
}

const FOLDERS = ['packages', 'test', 'scripts', 'bench'];
const paths = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => !/(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(name))
    .map((name) => `${folder}/${name}`),
);
const files = paths.filter((path) => /\.(?:tsx?|mjs)$/.test(path));

test('identifiers are in the words of the field', { timeout: 120_000 }, () => {
  const faults = files.flatMap((file) => {
    const code = readFileSync(join(ROOT, file), 'utf8');
    // Most files have none: only suspects are parsed.
    const suspects = new Set((code.match(/[A-Za-z_$][\w$]*/g) ?? []).filter(faultOf));
    if (suspects.size === 0) return [];
    const names = identifiersOf(code, join(ROOT, file));
    return [...suspects]
      .filter((name) => names.has(name) && FIELD_NAMES.get(name)?.test(file) !== true)
      .map((name) => `${file}: ${faultOf(name)}`);
  });
  expect(faults).toEqual([]);
});

/** Returns the fault in the last name of a path, of a file or a folder: `late-part.tsx`, `fake_parts`. */
function faultOfName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return faultOf(name.replaceAll(/[.-]+/g, '_'));
}

test('files and folders are named in the words of the field', () => {
  // Recorded and expected files are named after their content.
  const own = paths.filter((path) => !/^test\/(?:golden|recorded)\//.test(path));
  expect(own.filter(faultOfName)).toEqual([]);
});

test.each(['a/late-part.tsx', 'a/parts.ts', 'look', 'a/place.test.ts', 'words.d.mts', 'lastWords.ts'])(
  'no file is called %s',
  (path) => expect(faultOfName(path)).toBeDefined(),
);

test.each(['parts/a.ts', 'placement', 'a/multipart.ts', 'look-up.ts/replace.ts', 'a/password.css'])(
  'a file may be called %s',
  (path) => expect(faultOfName(path)).toBeUndefined(),
);

test.each([
  'MOST_LINES',
  'LEAST_MS',
  'behindLast',
  'tellState',
  'sourceVoice',
  'lastWords',
  'lookAt',
  'isThere',
  'readIfThere',
  'BCRYPT_LONGEST_BYTES',
  'BYTES_AT_LEAST',
  'stopLooking',
  'placeOf',
  'TagParts',
  'MAX_WORDS',
])('%s is no word of the field', (name) => expect(faultOf(name)).toBeDefined());

test.each([
  'almost',
  'replaceAll',
  'placement',
  'placeholder',
  'partial',
  'multipart',
  'password',
  'keyword',
  'maxLines',
  'lookup',
  'LOOKUP',
  'mendel',
  'standalone',
  'thereIs',
  'MAX_LINES',
])('%s passes', (name) => expect(faultOf(name)).toBeUndefined());
