import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { isTest, ROOT, targetOf } from './measures/source-files.ts';

const PACKAGES = join(ROOT, 'packages');
const SOURCE = join(PACKAGES, 'logtool/src');

/** Returns the rows of a table of a Markdown file: the folder in the first column -> the cells after it. */
function readTable(path: string, folder: RegExp): Map<string, readonly string[]> {
  const rows = readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, first = '', ...cells] = line.split('|').map((cell) => cell.trim());
      const name = folder.exec(first)?.[1];
      return name === undefined ? [] : [[name, cells.slice(0, -1)] as const];
    });
  return new Map(rows);
}

/** Returns what each folder may import, from a table of ARCHITECTURE.md. */
function readImports(folder: RegExp): ReadonlyMap<string, ReadonlySet<string>> {
  const named = [...readTable('ARCHITECTURE.md', folder)].filter(([, cells]) => cells.length === 2);
  return new Map(
    named.map(([name, [, imports = '']]) => [
      name,
      new Set(imports === 'nothing' ? [] : imports.split(', ')),
    ]),
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const pattern = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)['"]([^'"]+)['"]/gm;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

const packageOf = (file: string) => relative(PACKAGES, file).split('/')[0] ?? '';
/** Returns a room of logtool, or another package. */
const roomOf = (file: string) =>
  packageOf(file) === 'logtool' ? (relative(SOURCE, file).split('/')[0] ?? '') : packageOf(file);
const packages = readImports(/^`packages\/(\w+)\/`$/);
const rooms = readImports(/^`([\w-]+)\/`$/);
const files = filesBelow(PACKAGES).filter((file) => file.includes('/src/'));

interface Crossing {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly target: string;
}

/** Returns imports from one room or package to another, except those of tests. */
function crossingsBy(folderOf: (file: string) => string): readonly Crossing[] {
  return files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const target = targetOf(specifier, file);
        if (target === undefined) return [];
        return [{ file: relative(ROOT, file), from: folderOf(file), to: folderOf(target), target }];
      }),
    )
    .filter((crossing) => crossing.from !== crossing.to);
}

const crossings = crossingsBy(roomOf).filter(({ from }) => !packages.has(from));

test('every package is in the table, and every folder of logtool is a room of its table', () => {
  expect([...packages.keys()].sort()).toEqual([...new Set(files.map(packageOf))].sort());
  const folders = files.filter((file) => packageOf(file) === 'logtool').map(roomOf);
  expect([...rooms.keys()].sort()).toEqual([...new Set(folders)].sort());
});

test.each([
  ['kube', 'packages/kube/README.md'],
  ['helm', 'packages/helm/README.md'],
  ['simcluster', 'packages/simcluster/README.md'],
  ['logtool', 'ARCHITECTURE.md'],
])('every folder of %s is in its map, in a line', (name, map) => {
  const source = join(PACKAGES, name, 'src');
  const inside = files.filter((file) => packageOf(file) === name && !isTest(file));
  const folders = new Set(inside.map((file) => relative(source, dirname(file))));
  const known = new Set(
    [...readTable(map, /^`([\w/-]+)\/`$/).keys()].filter((path) => !path.startsWith('packages/')),
  );
  folders.delete('');
  // A room may consist of folders only; the test above compares the rooms with the files.
  if (name === 'logtool') for (const room of rooms.keys()) folders.add(room);
  expect([...known].sort()).toEqual([...folders].sort());
});

test.each([
  ['room', crossings, rooms],
  ['package', crossingsBy(packageOf), packages],
] as const)('no file imports a %s that the table does not allow', (_, all, allowed) => {
  const bad = all.filter(({ from, to }) => !allowed.get(from)?.has(to));
  expect(bad.map(({ file, to }) => `${file} imports ${to}/`)).toEqual([]);
});

test.each([
  ['room', crossings, rooms],
  ['package', crossingsBy(packageOf), packages],
] as const)('every import of a %s that the table allows is used', (_, all, table) => {
  const used = new Set(all.map(({ from, to }) => `${from} -> ${to}`));
  const allowed = [...table].flatMap(([name, imports]) => [...imports].map((to) => `${name} -> ${to}`));
  expect(allowed.filter((pair) => !used.has(pair))).toEqual([]);
});

/**
 * Returns files outside packages that a package's files and tests import, directly or indirectly, with their
 * importers.
 */
function reachedFrom(starts: readonly string[]): ReadonlyMap<string, string> {
  const importers = new Map(starts.map((file) => [file, file]));
  for (const [file] of importers) {
    // Another package is responsible for its own imports.
    if (file.startsWith(PACKAGES) && !starts.includes(file)) continue;
    for (const specifier of importsOf(file)) {
      const target = targetOf(specifier, file);
      if (target !== undefined && !importers.has(target)) importers.set(target, file);
    }
  }
  return importers;
}

test.each(['kube', 'helm', 'simcluster'])(
  'no file of %s imports the product, neither in its tests nor through what they use',
  (name) => {
    const own = filesBelow(join(PACKAGES, name)).filter((file) => !file.includes('/node_modules/'));
    expect(own.some(isTest)).toBe(true);
    const product = [...reachedFrom(own)].filter(([target]) => packageOf(target) === 'logtool');
    expect(
      product.map(([target, file]) => `${relative(ROOT, file)} imports ${relative(ROOT, target)}`),
    ).toEqual([]);
  },
);

test('the product starts the simulated cluster through its front door only', () => {
  const inside = crossings.filter(
    ({ to, target }) => to === 'simcluster' && target !== join(PACKAGES, 'simcluster/src/start.ts'),
  );
  expect(inside.map(({ file, target }) => `${file} imports ${relative(ROOT, target)}`)).toEqual([]);
});

/** Returns what is loaded together with a file: imports that are neither type-only nor dynamic. */
function loadedWith(entry: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const found = new Set([entry]);
  const packages = new Set<string>();
  const pattern = /^(?:import|export)\s+(?!type\b)(?:([^'";]*?)\bfrom\s+)?'([^']+)'/gm;
  for (const file of found) {
    for (const [, names = '', specifier = ''] of readFileSync(file, 'utf8').matchAll(pattern)) {
      const isTypes = /^\{(?:\s*type\s+[\w\s]+,?)+\s*\}/.test(names.trim());
      if (isTypes || specifier.startsWith('node:')) continue;
      const target = targetOf(specifier, file);
      if (target === undefined) packages.add(specifier);
      else found.add(target);
    }
  }
  return { files: found, packages };
}

test.each(['cli/main.ts', 'cli/commands/logs.ts', 'cli/logs/run-logs.ts'])(
  'to start with %s loads neither a package nor anything of the dashboard',
  (entry) => {
    const loaded = loadedWith(join(SOURCE, entry));
    expect(loaded.files.size).toBeGreaterThan(10);
    expect([...loaded.packages]).toEqual([]);
    const others = [...loaded.files].filter((file) => /^(server|contract|ui|simcluster)$/.test(roomOf(file)));
    expect(others.map((file) => relative(ROOT, file))).toEqual([]);
  },
);

/** The folder of pure values; of the whole package, only these are for the domain and the page. */
const VALUES = join(PACKAGES, 'kube/src/values');

test('pure values use no Node module', () => {
  const pure = files.filter(
    (file) => (roomOf(file) === 'domain' || dirname(file) === VALUES) && !isTest(file),
  );
  const bad = pure.filter((file) => importsOf(file).some((name) => targetOf(name, file) === undefined));
  expect(bad.map((file) => relative(ROOT, file))).toEqual([]);
});

test('pure values and the page import only the pure values of kube', () => {
  const bad = crossings.filter(
    ({ from, to, target }) =>
      /^(domain|contract|ui)$/.test(from) && to === 'kube' && dirname(target) !== VALUES,
  );
  expect(bad.map(({ file, target }) => `${file} imports ${relative(ROOT, target)}`)).toEqual([]);
});

test('regular expressions that people write use only RE2, whose time is linear', () => {
  // Patterns made of constants, or of escaped text.
  const made = [
    'packages/helm/src/functions/sprig/text/letters.ts',
    'packages/helm/src/functions/sprig/time/time-fields.ts',
    'packages/helm/src/functions/sprig/time/time-layout.ts',
    'packages/helm/src/toml/read-number.ts',
    'packages/helm/src/version/constraint.ts',
    'packages/helm/src/version/version.ts',
    'packages/kube/src/values/sanitize.ts',
    'packages/logtool/src/cli/output/format/escape-json.ts',
    'packages/logtool/src/domain/duration.ts',
    'packages/logtool/src/domain/records/line-shape.ts',
    'packages/logtool/src/domain/redact/command-lines.ts',
    'packages/logtool/src/domain/redact/credential-forms.ts',
    'packages/logtool/src/domain/redact/named-secrets.ts',
    'packages/logtool/src/domain/redact/secret-kinds.ts',
    'packages/logtool/src/domain/redact/stated-secrets.ts',
    'packages/logtool/src/domain/search/line-matcher.ts',
    'packages/logtool/src/domain/structured/text-heads.ts',
    'packages/logtool/src/domain/time-point.ts',
    'packages/logtool/src/server/routes/path-pattern.ts',
    'packages/logtool/src/ui/ansi/segments.ts',
    'packages/logtool/src/ui/json-tree/tree-lines.ts',
  ];
  const product = files.filter((file) => !isTest(file) && roomOf(file) !== 'simcluster');
  const makers = product.filter((file) => /\bRegExp\(/.test(readFileSync(file, 'utf8')));
  expect(makers.map((file) => relative(ROOT, file)).sort()).toEqual(made);
});

const UI = join(SOURCE, 'ui');
/** Returns a folder directly below `ui/`; empty for files outside such folders. */
const folderOfPage = (file: string) =>
  file.startsWith(`${UI}/`) ? (relative(UI, file).split('/')[0] ?? '') : '';
const pageCrossings = crossingsBy(folderOfPage);

/** Returns each import that closes a cycle between two of the page's folders, including imports of types. */
function cyclesBetween(one: string, others: readonly string[], all: readonly Crossing[]): readonly string[] {
  return others.flatMap((other) => {
    const there = all.filter(({ from, to }) => from === one && to === other);
    const back = all.filter(({ from, to }) => from === other && to === one);
    if (there.length === 0 || back.length === 0) return [];
    return [...there, ...back].map(({ file, to }) => `${file} imports ui/${to}/`);
  });
}

const TOOLS = ['range', 'facets', 'search', 'download'];

test('the console of the page and its tools make no cycle', () => {
  expect(TOOLS.filter((tool) => !pageCrossings.some(({ from }) => from === tool))).toEqual([]);
  expect(pageCrossings.some(({ from, to }) => from === 'facets' && to === 'console')).toBe(true);
  expect(cyclesBetween('console', TOOLS, pageCrossings)).toEqual([]);
});

test('a cycle is found with the imports of both its sides', () => {
  const crossing = (file: string, from: string, to: string) => ({ file, from, to, target: '' });
  const all = [
    crossing('a.ts', 'console', 'facets'),
    crossing('b.ts', 'facets', 'console'),
    crossing('c.ts', 'range', 'console'),
  ];
  expect(cyclesBetween('console', TOOLS, all)).toEqual([
    'a.ts imports ui/facets/',
    'b.ts imports ui/console/',
  ]);
});

test('a folder is a stage of work, not a kind of thing', () => {
  const names = /^(utils?|helpers?|common|shared|types)(\.ts)?$/;
  const bad = files.filter((file) =>
    relative(PACKAGES, file)
      .split('/')
      .some((segment) => names.test(segment)),
  );
  expect(bad.map((file) => relative(ROOT, file))).toEqual([]);
});

test('only tests stand beside the code: what they use lies in test/support', () => {
  expect(files.length).toBeGreaterThan(1_000);
  const used = files.filter((file) => /\/(?:testing|fixtures?|mocks?)\//.test(relative(PACKAGES, file)));
  expect(used.map((file) => relative(ROOT, file))).toEqual([]);
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s names files and folders that exist', (page) => {
  const named = readFileSync(join(ROOT, page), 'utf8').matchAll(
    /`((?:packages|test|scripts|bench|charts|scenarios|docs)\/[\w./-]+)`/g,
  );
  const missing = [...named]
    .map(([, path = '']) => path)
    .filter((path) => !isPlaceholder(path) && !existsSync(join(ROOT, path)));
  expect(missing).toEqual([]);
});

/** A placeholder as in `packages/NAME`, which represents each package. */
function isPlaceholder(path: string): boolean {
  return path.includes('NAME');
}

test('a package declares what it imports, so that it works where nothing else is installed', () => {
  const declared = new Map(
    readdirSync(PACKAGES).map((name) => {
      const manifest = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as {
        readonly dependencies?: Readonly<Record<string, string>>;
      };
      return [name, new Set(Object.keys(manifest.dependencies ?? {}))] as const;
    }),
  );
  const product = files.filter((file) => !isTest(file));
  const undeclared = product.flatMap((file) =>
    importsOf(file)
      .filter((target) => /^(?:@[\w-]+\/)?[\w.-]+(?:\/[\w./-]+)?$/.test(target) && !target.startsWith('.'))
      .map((target) => /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target)
      .filter((library) => declared.get(packageOf(file))?.has(library) !== true)
      .map((library) => `${relative(ROOT, file)}: ${library}`),
  );
  expect(undeclared).toEqual([]);
});

test('no style sheet is longer than 300 lines', () => {
  const sheets = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  );
  expect(sheets.length).toBeGreaterThan(10);
  const linesOf = (name: string) => readFileSync(join(SOURCE, name), 'utf8').trimEnd().split('\n').length;
  expect(sheets.filter((name) => linesOf(name) > 300)).toEqual([]);
});
