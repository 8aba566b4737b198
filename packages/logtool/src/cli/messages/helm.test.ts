import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const PACKAGES = resolve(import.meta.dirname, '../../../..');

/** Returns files of this repository that load together with one: without type imports and lazy imports. */
function loadedWith(file: string): readonly string[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  const imported = module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.filter(({ isType }) => !isType).map(({ moduleRequest }) => moduleRequest?.value ?? ''),
  );
  return [...imported, ...exported].flatMap((name) => {
    const [, path] = /^@logtool\/(.+)$/.exec(name) ?? [];
    if (path !== undefined) return [join(PACKAGES, path)];
    return /^\..*\.tsx?$/.test(name) ? [resolve(dirname(file), name)] : [];
  });
}

function allLoadedWith(start: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [join(PACKAGES, start)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(relative(PACKAGES, file))) continue;
    found.add(relative(PACKAGES, file));
    open.push(...loadedWith(file));
  }
  return found;
}

const HELM = 'logtool/src/cli/messages/helm';
const loadsTexts = (start: string) => [...allLoadedWith(start)].some((file) => file.startsWith(HELM));

test.each(['run.ts', 'commands/logs.ts', 'commands/serve.ts'])(
  '%s loads no message of helm, nor any of its code',
  (name) => {
    const start = `logtool/src/cli/${name}`;
    expect(loadsTexts(start)).toBe(false);
    expect([...allLoadedWith(start)].filter((file) => file.startsWith('helm/'))).toEqual([]);
  },
);

test('a command of the cluster loads them', () => {
  expect(loadsTexts('logtool/src/cli/commands/cluster/list.ts')).toBe(true);
});
