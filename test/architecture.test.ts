import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src');

interface Room {
  readonly imports: ReadonlySet<string>;
}

/** The table of ARCHITECTURE.md: room -> rooms (or single files of rooms) that it may import. */
function readRooms(): Map<string, Room> {
  const rooms = new Map<string, Room>();
  for (const line of readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('\n')) {
    const match = /^\| `(\w+)\/` +\|.*\| ([^|]+) \|$/.exec(line);
    if (match === null) continue;
    const [, name = '', imports = ''] = match;
    rooms.set(name, { imports: new Set(imports.trim() === 'nothing' ? [] : imports.trim().split(', ')) });
  }
  return rooms;
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

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.includes('/testing/');
const roomOf = (file: string) => relative(SOURCE, file).split('/')[0] ?? '';
const rooms = readRooms();
const files = filesBelow(SOURCE);

interface Crossing {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly target: string;
}

const crossings: Crossing[] = files
  .filter((file) => !isTest(file))
  .flatMap((file) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => {
        const target = resolve(dirname(file), specifier);
        return { file: relative(ROOT, file), from: roomOf(file), to: roomOf(target), target };
      }),
  )
  .filter((crossing) => crossing.from !== crossing.to);

test('every folder of src is a room of the table, and every room has files', () => {
  const folders = new Set(files.map(roomOf));
  expect([...rooms.keys()].sort()).toEqual([...folders].sort());
});

test('no file imports a room that the table does not allow', () => {
  const bad = crossings.filter(({ from, to }) => !rooms.get(from)?.imports.has(to));
  expect(bad.map(({ file, to }) => `${file} imports ${to}/`)).toEqual([]);
});

test('every import that the table allows is used', () => {
  const used = new Set(crossings.map(({ from, to }) => `${from} -> ${to}`));
  const allowed = [...rooms].flatMap(([name, room]) => [...room.imports].map((to) => `${name} -> ${to}`));
  expect(allowed.filter((pair) => !used.has(pair))).toEqual([]);
});

test('the product starts the simulated cluster through its front door only', () => {
  const inside = crossings.filter(
    ({ to, target }) => to === 'simcluster' && target !== join(SOURCE, 'simcluster/start.ts'),
  );
  expect(inside.map(({ file, target }) => `${file} imports ${relative(ROOT, target)}`)).toEqual([]);
});

/** What is loaded together with a file: imports that are neither of types alone nor made when they are needed. */
function loadedWith(entry: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const found = new Set([entry]);
  const packages = new Set<string>();
  const pattern = /^(?:import|export)\s+(?!type\b)(?:([^'";]*?)\bfrom\s+)?'([^']+)'/gm;
  for (const file of found) {
    for (const [, names = '', specifier = ''] of readFileSync(file, 'utf8').matchAll(pattern)) {
      const isTypes = /^\{(?:\s*type\s+[\w\s]+,?)+\s*\}/.test(names.trim());
      if (isTypes || specifier.startsWith('node:')) continue;
      if (specifier.startsWith('.')) found.add(resolve(dirname(file), specifier));
      else packages.add(specifier);
    }
  }
  return { files: found, packages };
}

test.each(['cli/main.ts', 'cli/commands/logs.ts', 'cli/commands/run-logs.ts'])(
  'to start with %s loads neither a package nor anything of the dashboard',
  (entry) => {
    const loaded = loadedWith(join(SOURCE, entry));
    expect(loaded.files.size).toBeGreaterThan(10);
    expect([...loaded.packages]).toEqual([]);
    const others = [...loaded.files].filter((file) => /^(server|contract|ui|simcluster)$/.test(roomOf(file)));
    expect(others.map((file) => relative(ROOT, file))).toEqual([]);
  },
);

test('domain uses no Node module', () => {
  const bad = files.filter(
    (file) =>
      roomOf(file) === 'domain' && !isTest(file) && importsOf(file).some((name) => !name.startsWith('.')),
  );
  expect(bad.map((file) => relative(ROOT, file))).toEqual([]);
});

test('regular expressions that people write go to RE2 alone, whose time is linear', () => {
  // Made of constants, or of a text whose signs are escaped.
  const made = [
    'src/cli/output/escape-json.ts',
    'src/domain/duration.ts',
    'src/domain/sanitize.ts',
    'src/domain/time-point.ts',
    'src/helm/functions/sprig/letters.ts',
    'src/helm/functions/sprig/time-layout.ts',
    'src/helm/functions/sprig/time-parts.ts',
    'src/helm/toml/read-number.ts',
    'src/helm/version/constraint.ts',
    'src/helm/version/version.ts',
    'src/server/routes/path-pattern.ts',
    'src/ui/ansi/segments.ts',
    'src/ui/json-tree/tree-lines.ts',
    'src/ui/worker/search/line-matcher.ts',
  ];
  const product = files.filter((file) => !isTest(file) && roomOf(file) !== 'simcluster');
  const makers = product.filter((file) => /\bRegExp\(/.test(readFileSync(file, 'utf8')));
  expect(makers.map((file) => relative(ROOT, file)).sort()).toEqual(made);
});

test('a folder is a stage of work, not a kind of thing', () => {
  const names = /^(utils?|helpers?|common|shared|types)(\.ts)?$/;
  const bad = files.filter((file) =>
    relative(SOURCE, file)
      .split('/')
      .some((part) => names.test(part)),
  );
  expect(bad.map((file) => relative(ROOT, file))).toEqual([]);
});
