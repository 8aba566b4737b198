import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type SyntaxNode, walk } from './syntax.ts';

export const ROOT = resolve(import.meta.dirname, '../../../..');

/** A file of the product, as the measures see it. */
export interface SourceFile {
  /** Path from the repository's root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Files of the repository that it imports, including imports of types. */
  readonly imports: readonly string[];
}

/** Returns all files of the product, without tests and files that only tests use. */
export function sourceFiles(): readonly SourceFile[] {
  const folder = join(ROOT, 'packages');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^\w+\/src\/.*\.tsx?$/.test(name) && !isTest(name))
    .map((name) => join(folder, name))
    .sort()
    .map(read);
}

/** Returns all code of the repository: the product, its tests and what they use, the benchmark and the scripts. */
export function allFiles(): readonly SourceFile[] {
  return ['packages', 'test', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (name) => /\.(?:tsx?|m[jt]s)$/.test(name) && !/(?:^|\/)(?:node_modules|dist|recorded)\//.test(name),
      )
      .map((name) => join(ROOT, folder, name))
      .sort()
      .map(read),
  );
}

/** Returns all style sheets of the product. */
export function styleSheets(): readonly Pick<SourceFile, 'path' | 'text'>[] {
  const folder = join(ROOT, 'packages');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^\w+\/src\/.*\.css$/.test(name))
    .sort()
    .map((name) => ({ path: `packages/${name}`, text: readFileSync(join(folder, name), 'utf8') }));
}

export const isTest = (file: string) => /\.test\.tsx?$/.test(file);

function read(file: string): SourceFile {
  const text = readFileSync(file, 'utf8');
  const imports = [...new Set(specifiersOf(file, text))]
    .map((name) => targetOf(name, file))
    .filter((target) => target !== undefined)
    .map((target) => relative(ROOT, target));
  return { path: relative(ROOT, file), text, imports };
}

/**
 * Returns everything that a file imports: by a statement, dynamically, or only as the type
 * `import('./one.ts').One`.
 */
export function specifiersOf(file: string, text: string): readonly string[] {
  const { module, program } = parseSync(file, text);
  const types: string[] = [];
  // Most files have none, and their trees are large.
  if (/\bimport\s*\(/.test(text))
    walk(program as unknown as SyntaxNode, ({ type, source }) => {
      if (type === 'TSImportType') types.push(String((source as { readonly value: unknown }).value));
    });
  return [
    ...types,
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map((entry) => entry.moduleRequest?.value ?? ''),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
}

/**
 * Returns the file of this repository that an import specifier refers to; undefined for external packages.
 */
export function targetOf(specifier: string, importer: string): string | undefined {
  const [, path] = /^@logtool\/(.+)$/.exec(specifier) ?? [];
  if (path !== undefined) return join(ROOT, 'packages', path);
  return specifier.startsWith('.') ? resolve(dirname(importer), specifier) : undefined;
}
