import { dirname } from 'node:path';
import type { SourceFile } from './source-files.ts';

/** A file with fewer lines is a fragment if only one other file imports it. */
const MIN_LINES = 40;

/** Short files with a single importer; `beside`: in the importer's folder. */
export interface Fragments {
  readonly all: readonly string[];
  readonly beside: readonly string[];
}

export function fragmentsOf(files: readonly SourceFile[]): Fragments {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of files)
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), path]);
  const all = files
    .filter(({ path, text }) => linesOf(text) < MIN_LINES && importers.get(path)?.length === 1)
    .map(({ path }) => path);
  return { all, beside: all.filter((path) => dirname(importers.get(path)?.[0] ?? '') === dirname(path)) };
}

const linesOf = (text: string) => text.split('\n').length - 1;
