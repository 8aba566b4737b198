import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../src');

/** The literals of a file that are texts: neither comments nor names of modules. */
function textsOf(file: string): readonly string[] {
  const code = readFileSync(file, 'utf8')
    .replace(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm, '')
    .replace(/^.*\bfrom '[^']*';$/gm, '');
  return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(
    ([text]) => text,
  );
}

test('no text of the package names a program that uses it, or its flags', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(200);
  const bad = files.flatMap((name) =>
    textsOf(join(SOURCE, name))
      .filter((text) => /(?<!@)\blogtool\b(?!-)|\bkubectl \w| --[a-z]{2}/.test(text))
      .map((text) => `${name}: ${text}`),
  );
  expect(bad).toEqual([]);
});
