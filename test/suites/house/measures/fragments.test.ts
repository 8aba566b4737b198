import { expect, test } from 'vitest';
import { fragmentsOf } from './fragments.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';

const RULE = 'a rule with its own test';

/** Tables of things that have one file each, whatever its length: what they import is no fragment. */
const TABLES: Readonly<Record<string, string>> = {
  'packages/helm/src/functions/sprig/table.ts': 'one file a chapter of Sprig',
  'packages/logtool/src/cli/commands/load-command.ts': 'one file a command',
  'packages/logtool/src/cli/completion/scripts/scripts.ts': 'one script a shell',
  'packages/logtool/src/cli/mcp/tools/tool-table.ts': 'one file a tool',
  'packages/logtool/src/cli/output/format/create-format.ts': 'one file a format, loaded on demand',
  'packages/logtool/src/server/routes/handlers.ts': 'one file a route',
  'packages/logtool/src/ui/app/late-components.ts': 'one file a chunk of the page',
  'packages/logtool/src/ui/app/router.tsx': 'one page a file',
};

/**
 * Other short files that only a neighboring file imports, and why each stays separate: it is a value, a rule or a
 * component of its own. The rest is merged into its importer.
 */
const KEPT: Readonly<Record<string, string>> = {
  'packages/helm/src/actions/check-successor.ts': RULE,
  'packages/helm/src/chart/archive-path.ts': RULE,
  'packages/helm/src/release/encode.ts': RULE,
  'packages/helm/src/render/chart-limits.ts': 'a value',
  'packages/helm/src/render/check-hooks.ts': RULE,
  'packages/kube/src/config/line-of.ts': 'loaded on demand, with a YAML parser',
  'packages/logtool/src/agent-api/runs/resource-version.ts': 'a value',
  'packages/logtool/src/cli/plan/logs/line-template.ts': RULE,
  'packages/logtool/src/happenings/why/own-uids.ts': RULE,
  'packages/logtool/src/server/session/open-sessions.ts': 'one file for each --auth',
  'packages/logtool/src/start/command-of.ts': 'main.ts runs the program when a test imports it',
  'packages/logtool/src/ui/console/scroll/settling.ts': RULE,
  'packages/logtool/src/ui/facets/event-extent.ts': RULE,
  'packages/logtool/src/ui/home/drawer.tsx': 'loaded on demand, with the dialog',
};

const file = (path: string, lines: number, imports: readonly string[] = []): SourceFile => ({
  path,
  imports,
  text: '\n'.repeat(lines),
});

test('a short file with one importer is a fragment, beside it or far from it', () => {
  const files = [
    file('a/main.ts', 9, ['a/short.ts', 'a/long.ts', 'a/twice.ts', 'b/far.ts']),
    file('a/short.ts', 39, ['a/twice.ts']),
    file('a/long.ts', 40),
    file('a/twice.ts', 1),
    file('b/far.ts', 1),
  ];
  expect(fragmentsOf(files)).toEqual({ all: ['a/short.ts', 'b/far.ts'], beside: ['a/short.ts'] });
});

test('a file that a table of such files imports is none', () => {
  const files = [
    file('a/table.ts', 9, ['a/one.ts']),
    file('a/one.ts', 7, ['a/part.ts']),
    file('a/part.ts', 3),
  ];
  expect(fragmentsOf(files, new Set(['a/table.ts'])).beside).toEqual(['a/part.ts']);
});

test('each table imports several files', () => {
  const files = new Map(sourceFiles().map(({ path, imports }) => [path, imports.length]));
  expect(Object.keys(TABLES).filter((path) => (files.get(path) ?? 0) < 4)).toEqual([]);
});

test('no short file stands beside its only importer, but those that are kept', () => {
  const { beside } = fragmentsOf(sourceFiles(), new Set(Object.keys(TABLES)));
  expect(beside).toEqual(Object.keys(KEPT));
});
