import { expect, test } from 'vitest';
import { fragmentsOf } from './fragments.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';

const COMMAND = 'a command';
const ROUTE = 'a route';
const COMPONENT = 'a component with its own style sheet or chunk';
const RULE = 'a rule with its own test';

/**
 * Short files that only a neighboring file imports, and why each stays separate. Others are merged into their
 * importer: this list may only shrink.
 */
const KEPT: Readonly<Record<string, string>> = {
  'packages/helm/src/actions/check-successor.ts': RULE,
  'packages/helm/src/chart/archive-path.ts': RULE,
  'packages/helm/src/functions/sprig/reflection.ts': 'a chapter of Sprig, as the files beside it',
  'packages/helm/src/release/encode.ts': RULE,
  'packages/helm/src/render/chart-limits.ts': 'a value',
  'packages/helm/src/render/check-hooks.ts': RULE,
  'packages/kube/src/config/line-of.ts': 'loaded on demand, with a YAML parser',
  'packages/logtool/src/cli/commands/completion.ts': COMMAND,
  'packages/logtool/src/cli/commands/config-path.ts': COMMAND,
  'packages/logtool/src/cli/commands/config-show.ts': COMMAND,
  'packages/logtool/src/cli/completion/scripts/fish.ts': 'one script a shell',
  'packages/logtool/src/cli/output/format/json-format.ts': 'loaded on demand, as each format',
  'packages/logtool/src/cli/plan/logs/line-template.ts': RULE,
  'packages/logtool/src/server/routes/contexts.ts': ROUTE,
  'packages/logtool/src/server/routes/healthz.ts': ROUTE,
  'packages/logtool/src/server/routes/info.ts': ROUTE,
  'packages/logtool/src/server/routes/page-token.ts': ROUTE,
  'packages/logtool/src/server/session/open-sessions.ts': 'one file for each --auth',
  'packages/logtool/src/start/command-of.ts': 'main.ts runs the program when a test imports it',
  'packages/logtool/src/ui/app/console-page.tsx': 'one page a file',
  'packages/logtool/src/ui/app/console-with-tools.tsx': COMPONENT,
  'packages/logtool/src/ui/console/scroll/settling.ts': RULE,
  'packages/simcluster/src/controllers/pods/restart-rules.ts': 'a rule of the kubelet',
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

test('no short file stands beside its only importer, but those that are kept', () => {
  expect(fragmentsOf(sourceFiles()).beside).toEqual(Object.keys(KEPT));
});
