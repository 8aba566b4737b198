import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync as parseComments } from 'oxc-parser';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Wording that readers must decode. Each entry is a phrase, not one message. */
const PHRASES = `
  no page of, on the clock of, news of, lines are held, told above, is said, and said nothing, deceive the eye,
  shown in letters, made harmless, messages alone, the token alone, " alone is, behind --, behind a cursor,
  behind the last, behind compinit, behind that, in front of the, in front of this, mend, mends, mended, tell who,
  tell its, are told by, of before, is not there, where nobody chose, go on with new, that goes on, what was cut off,
  what counts, none is left by, any of a day, is no section, may not read, may not be read, you may not,
  copy the check, is asked before, made anew, anew, is told, are told, goes on, go on, so many, in front of, alone, said,
  in a copy too, of its own accord, for ever, what is no, undefined where, was cut off, nothing came for,
  it was made with, release that can be read, it was left as it is, could not be recorded, done until then,
  a trouble, no trouble, is as it is, no try, is no valid, by the facts of, not known, nothing says, says why a, tells it,
  says it, stands out most, cannot be excluded, could not be excluded, by now, lived on, of which no, comes twice,
  drops events that, and neither, any more, by itself each, each by itself, since when, was over before,
  (?:could|can|cannot) (?:not )?be (?:read|pulled|mounted|attached|loaded), (?:was|were|are) not (?:read|searched|listed|taken),
  (?:is|are|was|were) left out because, (?:is|are) known only, ended is unknown, that (?:was|were) read, nothing was searched,
  no browser was opened, was rotated on the node, the second in which, as by a drain, last of them, for want of, lives on,
  and so of, (?:is|are) being (?:pulled|read|reconnected), was rebooted, gave out, been read again`
  .trim()
  .split(/,\s+/);

/**
 * Words of the glossary in CONTRIBUTING.md that have no other meaning in texts; "behind", "look", "part", "place" and
 * "word" do.
 */
const GLOSSARY = `
  tell, tells, telling, told, news, struggle, struggles, revival, revivals, departed, last words, mending, harmless,
  voice, and the reverse`
  .trim()
  .split(/,\s+/);
const PATTERN = patternOf([...PHRASES, ...GLOSSARY]);

/** Wording that comments must not use either. */
const COMMENT_PHRASES = `
  told, mend, mends, mended, harmless, of before, what counts, and the reverse, anew, deceive the eye,
  of its own accord, is said, are said, tells of, tells apart, where nobody, nobody chose, undefined where,
  where there is none, where it is absent, in front of the`
  .trim()
  .split(/,\s+/);
const IN_COMMENTS = patternOf(COMMENT_PHRASES);
const IN_TITLES = patternOf([...PHRASES, ...GLOSSARY, ...COMMENT_PHRASES]);

function patternOf(phrases: readonly string[]): RegExp {
  return new RegExp(`(?<!\\w)(?:${phrases.join('|')})(?!\\w)`, 'i');
}

interface Text {
  readonly start: number;
  readonly text: string;
}

/** Texts that contain spaces. */
function textsOf(code: string, file: string): readonly Text[] {
  return allTextsOf(code, file).filter(({ text }) => /\s/.test(text));
}

/** Returns string literals, parts of templates and texts of JSX; no comments. */
function allTextsOf(code: string, file: string): readonly Text[] {
  const texts: Text[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, start, value } = node as { type?: string; start?: number; value?: unknown };
    const text = type === 'TemplateElement' ? (value as { cooked?: unknown }).cooked : value;
    if (/^(?:Literal|TemplateElement|JSXText)$/.test(type ?? '') && typeof text === 'string')
      texts.push({ start: start ?? 0, text });
    for (const child of Object.values(node)) visit(child);
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

/** Returns comments with one of the phrases, hints to the linter included: people read their reasons. */
function commentFindings(code: string, file: string): readonly string[] {
  if (!IN_COMMENTS.test(plain(code))) return [];
  return parseComments(file, code).comments.flatMap(({ start, value }) => {
    const phrase = IN_COMMENTS.exec(plain(value))?.[0];
    return phrase === undefined ? [] : [`${file}:${code.slice(0, start).split('\n').length}: ${phrase}`];
  });
}

/** Returns titles of tests and of groups of tests with one of the phrases. */
function titleFindings(code: string, file: string): readonly string[] {
  if (!IN_TITLES.test(code)) return [];
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const title = titleOf(node as Node);
    const phrase = IN_TITLES.exec(title?.text ?? '')?.[0];
    if (title !== undefined && phrase !== undefined)
      found.push(`${file}:${code.slice(0, title.start).split('\n').length}: ${phrase}`);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, code).program);
  return found;
}

type Node = Readonly<Record<string, unknown>> & { readonly type?: string; readonly start?: number };

/** Returns the title of `test('...')`, `describe('...')`, `test.each([...])('...')`; undefined for other code. */
function titleOf({ type, callee, arguments: given }: Node): Text | undefined {
  if (type !== 'CallExpression' || !isOfTests(callee as Node)) return undefined;
  const [title] = given as readonly Node[];
  if (title?.type === 'Literal' && typeof title.value === 'string')
    return { start: title.start ?? 0, text: title.value };
  if (title?.type !== 'TemplateLiteral') return undefined;
  const quasis = title.quasis as readonly { readonly value: { readonly cooked: string } }[];
  return { start: title.start ?? 0, text: quasis.map(({ value }) => value.cooked).join('…') };
}

/** `test`, and what is made of it: `test.skipIf(...)`, `test.each([...])`, also as a template. */
function isOfTests({ type, name, object, callee, tag }: Node): boolean {
  if (type === 'Identifier') return /^(?:test|it|describe)$/.test(String(name));
  const inner = object ?? callee ?? tag;
  return inner !== undefined && isOfTests(inner as Node);
}

/** Returns a comment on one line, without the stars of a block. */
function plain(comment: string): string {
  return comment.replace(/\n\s*(?:\*|\/\/)?/g, ' ').replace(/\s+/g, ' ');
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !/node_modules|(?:^|\/)dist\//.test(name))
    .map((name) => `${folder}/${name}`);
}

/** Returns phrases in Markdown or plain text, each with its line. */
function documentFindings(text: string, file: string): readonly string[] {
  return matches(text, PATTERN).map(({ line, phrase }) => `${file}:${line}: ${phrase}`);
}

/** Returns phrases in a style sheet's comments, its only prose. */
function styleFindings(css: string, file: string): readonly string[] {
  const comments = css.replace(/(^|\*\/)[\s\S]*?(?=\/\*|$)/g, (rules) => rules.replace(/[^\n]/g, ' '));
  const found = [...matches(comments, PATTERN), ...matches(comments, IN_COMMENTS)];
  return found.map(({ line, phrase }) => `${file}:${line}: ${phrase}`);
}

/** Returns all matches, including across line breaks. */
function matches(
  text: string,
  pattern: RegExp,
): readonly { readonly line: number; readonly phrase: string }[] {
  const found = text.replace(/\s/g, ' ').matchAll(new RegExp(pattern, 'gi'));
  return [...found].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    phrase: match[0],
  }));
}

function filesOf(folder: string, name: RegExp): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !/node_modules|(?:^|\/)dist\//.test(path))
    .map((path) => `${folder}/${path}`);
}

/** Returns the text of unreleased changes: published release notes do not change. */
function unreleased(changelog: string): string {
  const end = changelog.search(/^## \[\d/m);
  return end === -1 ? changelog : changelog.slice(0, end);
}

/** The columns of Kubernetes, with its own descriptions byte for byte, are not our texts. */
const OF_KUBERNETES = /^packages\/simcluster\/src\/api\/table\//;

const isTest = (name: string) => /\.test\.tsx?$/.test(name);

const files = sourcesOf('packages').filter((name) => !isTest(name) && !OF_KUBERNETES.test(name));

test('a phrase is found in each kind of text, and in no comment', () => {
  const code = [
    '// mend it: no news of it',
    "const a = 'mend it';",
    `const b = \`no news of \${a} we amend it\`;`,
    'const c = <p title="Why: told above">Lines\n  are held.</p>;',
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
  expect(found).toEqual([]);
});

test('a phrase is found in each kind of comment, over lines too', () => {
  const code = [
    '// It is harmless.',
    '/** Undefined',
    ' * where',
    ' * it is absent. */',
    "const told = 'told';",
    '// biome-ignore lint/correctness/useHookAtTopLevel: it is asked anew',
  ].join('\n');
  expect(commentFindings(code, 'a.ts')).toEqual([
    'a.ts:1: harmless',
    'a.ts:2: Undefined where',
    'a.ts:6: anew',
  ]);
});

test('comments have none of the phrases that the project replaced', { timeout: 120_000 }, () => {
  const all = ['packages', 'test', 'scripts', 'bench'].flatMap(sourcesOf);
  expect(all.length).toBeGreaterThan(1_500);
  expect(all.flatMap((file) => commentFindings(readFileSync(join(ROOT, file), 'utf8'), file))).toEqual([]);
});

test('a phrase is found in each kind of title, and in no other text of a test', () => {
  const code = [
    "test('it is told', () => expect(a).toBe('news of it'));",
    `describe('no news of it', () => it.skipIf(isSlow)(\`\${'mended'} of \${b} anew\`, { timeout: 1 }, run));`,
    "test.each(['mended'])('%s is harmless', (text) => expect(text).toBe('mended'));",
    `test.each\`a\n\${1}\`('mend $a', run);`,
    "expect('harmless'); tests('harmless'); test(mended);",
  ].join('\n');
  expect(titleFindings(code, 'a.test.ts')).toEqual([
    'a.test.ts:1: is told',
    'a.test.ts:2: news of',
    'a.test.ts:2: anew',
    'a.test.ts:3: harmless',
    'a.test.ts:5: mend',
  ]);
});

test('titles of tests have none of the phrases that the project replaced', { timeout: 120_000 }, () => {
  const tests = ['packages', 'test', 'scripts', 'bench'].flatMap(sourcesOf).filter(isTest);
  expect(tests.length).toBeGreaterThan(700);
  expect(tests.flatMap((file) => titleFindings(readFileSync(join(ROOT, file), 'utf8'), file))).toEqual([]);
});

test('a phrase is found in a document over a line break, and in the comments of a style sheet', () => {
  expect(documentFindings('# Logs\n\nThe page has no news\nof it.', 'a.md')).toEqual(['a.md:3: news of']);
  const css = '.alone { color: red; }\n/* The names\n * alone. */\n.said > .alone {}\n';
  expect(styleFindings(css, 'a.css')).toEqual(['a.css:3: alone']);
  expect(unreleased('# Changelog\n\n## [Unreleased]\n\nnew\n\n## [0.1.0] - 2026-01-01\n\nold\n')).toBe(
    '# Changelog\n\n## [Unreleased]\n\nnew\n\n',
  );
});

test('documents and the notes of the chart have none of the phrases that the project replaced', () => {
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    ...filesOf('docs', /\.md$/),
    ...filesOf('packages', /^\w+\/README\.md$/),
    ...filesOf('charts', /NOTES\.txt$|^\w+\/README\.md$/),
  ];
  expect(documents.length).toBeGreaterThan(18);
  const found = documents.flatMap((file) => documentFindings(readFileSync(join(ROOT, file), 'utf8'), file));
  const changelog = unreleased(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
  expect([...found, ...documentFindings(changelog, 'CHANGELOG.md')]).toEqual([]);
});

test('comments of style sheets have none of the phrases that the project replaced', () => {
  const sheets = filesOf('packages', /\.css$/);
  expect(sheets.length).toBeGreaterThan(20);
  expect(sheets.flatMap((file) => styleFindings(readFileSync(join(ROOT, file), 'utf8'), file))).toEqual([]);
});

const UI = 'packages/logtool/src/ui';
/** The page composes the command for the same log in this file. */
const COMMAND_LINE = `${UI}/console/bar/command-line.ts`;
/** Variables of style sheets look like flags. */
const styles = new Set(
  filesOf(UI, /\.css$/).flatMap(
    (file) => readFileSync(join(ROOT, file), 'utf8').match(/--[a-z][\w-]*/g) ?? [],
  ),
);

/** Returns flags in a file's texts, except kubectl's, which follow its name. */
function flagFindings(code: string, file: string): readonly string[] {
  return allTextsOf(code, file).flatMap(({ start, text }) =>
    (text.replace(/\bkubectl\b.*$/s, '').match(/(?<![\w-])--[a-z][\w-]*/g) ?? [])
      .filter((flag) => !styles.has(flag))
      .map((flag) => `${file}:${code.slice(0, start).split('\n').length}: ${flag}`),
  );
}

test('texts of the page name no flag, but in the command that it copies', () => {
  const found = files
    .filter((file) => file.startsWith(`${UI}/`) && file !== COMMAND_LINE)
    .flatMap((file) => flagFindings(readFileSync(join(ROOT, file), 'utf8'), file));
  expect(found).toEqual([]);
  expect(flagFindings(readFileSync(join(ROOT, COMMAND_LINE), 'utf8'), 'a.ts')).not.toEqual([]);
});

test('a flag is found in each kind of text, and in no style, comment or command of kubectl', () => {
  const code = [
    '// --since',
    "const a = 'give --since';",
    `const b = \`--tail=\${a}\`;`,
    "const c = <p style={{ color: 'var(--err)' }}>Or (--all)</p>;",
    "const d = 'list them with: kubectl get pods --show-labels';",
  ].join('\n');
  expect(flagFindings(code, 'a.tsx')).toEqual(['a.tsx:2: --since', 'a.tsx:3: --tail', 'a.tsx:4: --all']);
});
