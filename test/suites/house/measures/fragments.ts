import { dirname } from 'node:path';
import type { SourceFile } from './source-files.ts';

/** A file with fewer lines is a fragment if only one other file imports it. */
const MIN_LINES = 40;

/** Short files with a single importer; `beside`: in the importer's folder, which is no table of such files. */
export interface Fragments {
  readonly all: readonly string[];
  readonly beside: readonly string[];
}

/** `tables`: files that import one file for each of a kind, as a table of routes does, however short each is. */
export function fragmentsOf(
  files: readonly SourceFile[],
  tables: ReadonlySet<string> = new Set(),
): Fragments {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of files)
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), path]);
  const all = files
    .filter(({ path, text }) => linesOf(text) < MIN_LINES && importers.get(path)?.length === 1)
    .map(({ path }) => path);
  const isBeside = (path: string) => {
    const importer = importers.get(path)?.[0] ?? '';
    return dirname(importer) === dirname(path) && !tables.has(importer);
  };
  return { all, beside: all.filter(isBeside) };
}

const linesOf = (text: string) => text.split('\n').length - 1;
