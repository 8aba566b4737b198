import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Wording that a reader has to translate first. Each stands for a way of putting things, not for one message. */
const PHRASES = `
  no page of, on the clock of, news of, lines are held, told above, is said, and said nothing, deceive the eye,
  shown in letters, made harmless, messages alone, the token alone, " alone is, behind --, behind a cursor,
  behind the last, behind compinit, behind that, in front of the, in front of this, mend, mends, mended, tell who,
  tell its, are told by, of before, is not there, where nobody chose, go on with new, that goes on, what was cut off,
  what counts, none is left by, any of a day, is no section, may not read, may not be read, you may not,
  copy the check, is asked before, made anew`
  .trim()
  .split(/,\s+/);
const PATTERN = new RegExp(`(?<!\\w)(?:${PHRASES.join('|')})(?!\\w)`, 'i');

/** A file, and why its texts are not ours to word. */
const ALLOWED: Readonly<Record<string, string>> = {
  'packages/simcluster/src/scenario/container-schema.ts':
    'describes the keys of a scenario, for those who test logtool',
};

interface Text {
  readonly start: number;
  readonly text: string;
}

/** String literals, parts of templates and texts of JSX that have words with spaces; comments are none. */
function textsOf(code: string, file: string): readonly Text[] {
  const texts: Text[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, start, value } = node as { type?: string; start?: number; value?: unknown };
    const text = type === 'TemplateElement' ? (value as { cooked?: unknown }).cooked : value;
    if (
      /^(?:Literal|TemplateElement|JSXText)$/.test(type ?? '') &&
      typeof text === 'string' &&
      /\s/.test(text)
    )
      texts.push({ start: start ?? 0, text });
    for (const part of Object.values(node)) visit(part);
  };
  visit(parseSync(file, code).program);
  return texts;
}

function findings(code: string, file: string): readonly string[] {
  if (!PATTERN.test(code.replace(/\s+/g, ' '))) return [];
  return textsOf(code, file).flatMap(({ start, text }) => {
    const phrase = PATTERN.exec(text.replace(/\s+/g, ' '))?.[0];
    return phrase === undefined ? [] : [`${file}:${code.slice(0, start).split('\n').length}: ${phrase}`];
  });
}

const files = readdirSync(join(ROOT, 'packages'), { recursive: true, encoding: 'utf8' })
  .map((name) => `packages/${name}`)
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/(?:testing|fake)\//.test(name));

test('a phrase is found in each kind of text, and in no comment', () => {
  const code = [
    '// mend it: no news of it',
    "const a = 'mend it';",
    `const b = \`no news of \${a} we amend it\`;`,
    'const c = <p title="Why is told above">Lines\n  are held.</p>;',
    "const recommended = 'we recommend it';",
  ].join('\n');
  expect(findings(code, 'a.tsx')).toEqual([
    'a.tsx:2: mend',
    'a.tsx:3: news of',
    'a.tsx:4: told above',
    'a.tsx:4: Lines are held',
  ]);
});

test('texts that people read have none of the phrases that the project replaced', () => {
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => findings(readFileSync(join(ROOT, file), 'utf8'), file));
  const fileOf = (finding: string) => finding.slice(0, finding.indexOf(':'));
  expect(found.filter((finding) => !(fileOf(finding) in ALLOWED))).toEqual([]);
  // An exception that is no longer needed goes.
  expect([...new Set(found.map(fileOf))].sort()).toEqual(Object.keys(ALLOWED).sort());
});
