import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Block, commandsOf, ROOT, readPage, shellArguments } from './markdown.ts';
import { runDocCommand } from './run-command.ts';
import { type DocWorld, openWorld, type Ran } from './world.ts';

/** Pages written by hand; docs/cli.md is generated from the flag table. */
const PAGES = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(resolve(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'cli.md')
    .map((name) => `docs/${name}`),
];
const UPDATE = process.env.UPDATE_GOLDEN === '1';

let world: DocWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

describe.each(PAGES.filter((file) => commandsOf(file).length > 0))('%s', (file) => {
  const commands = commandsOf(file);
  test.for(commands.map((command) => [command.text, command] as const))('%s', async ([, command]) => {
    const ran = await runDocCommand(command, world);
    if (command.output === undefined) return;
    if (ran === undefined) throw new Error('the output of a command that is not run is not known');
    if (UPDATE) replaceOutput(file, command.output, shownOf(ran));
    else expect(`${shownOf(ran)}\n`).toMatch(patternOf(command.output.text));
  });
});

test('each command that the demo suggests works in any folder and shows the incident', async () => {
  const { stderr } = await world.logtool(['demo', '--no-follow'], ({ stdout }) => stdout() !== '');
  const suggested = stderr.split('\n').filter((line) => line.includes(' logs '));
  expect(suggested.length).toBeGreaterThanOrEqual(3);
  for (const line of suggested) {
    const [program, file = '', ...argv] = shellArguments(line.trim());
    expect([program, existsSync(file)]).toEqual(['node', true]);
    const { code, stdout } = await world.logtool(argv);
    expect([line, code]).toEqual([line, 0]);
    expect(stdout).toMatch(/payment/);
    expect(stdout).toMatch(/503|timed out|deadline exceeded|not reachable/);
  }
});

test('the recipes are twenty at least, each with a command and its output', () => {
  const sections = readPage('docs/recipes.md').split(/^## /m).slice(1);
  expect(sections.length).toBeGreaterThanOrEqual(20);
  for (const section of sections) {
    expect(section).toMatch(/```sh\n[^`]+\n```\n\n```text\n[^`]+\n```/);
  }
});

test('every link of a page leads to a file and a heading that exist', () => {
  const missing = PAGES.flatMap((file) =>
    [...readPage(file).matchAll(/\]\((?!https?:|mailto:)([^)#]*)(#[^)]*)?\)/g)].flatMap(
      ([, path = '', anchor]) => missingTarget(file, path, anchor) ?? [],
    ),
  );
  expect(missing).toEqual([]);
});

/** Returns a link whose file or heading does not exist; undefined: both exist. */
function missingTarget(file: string, path: string, anchor: string | undefined): string | undefined {
  const whole = path === '' ? resolve(ROOT, file) : resolve(ROOT, file, '..', path);
  try {
    if (path.endsWith('.png')) readFileSync(whole);
    else if (anchor !== undefined && !anchorsOf(readFileSync(whole, 'utf8')).includes(anchor.slice(1)))
      return `${file}: ${path}${anchor}`;
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR' ? undefined : `${file}: ${path}`;
  }
}

/** Returns both streams as users see them; strips trailing white space from lines, as editors do. */
function shownOf({ stdout, stderr }: Ran): string {
  return (stdout + stderr).replace(/[ \t\r]+$/gm, '').trimEnd();
}

/** `…` matches the rest of a line, or, on a line by itself, any omitted lines. */
function patternOf(text: string): RegExp {
  const lines = text.split('\n').map((line) => {
    if (line === '…') return '(?:.*\\n)*?';
    const escaped = line.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/…/g, '.*');
    return `${escaped}\\n`;
  });
  return new RegExp(`^${lines.join('')}$`);
}

const MAX_COLUMNS = 180;
const MAX_LINES = 14;

/** Writes the output into the page; cuts long lines and long outputs. */
function replaceOutput(file: string, block: Block, shown: string): void {
  const lines = shown
    .split('\n')
    .map((line) => (line.length > MAX_COLUMNS ? `${line.slice(0, MAX_COLUMNS)}…` : line));
  const kept = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 1), '…'] : lines;
  const page = readPage(file);
  writeFileSync(
    resolve(ROOT, file),
    page.replace(`\`\`\`text\n${block.text}\n\`\`\``, () => `\`\`\`text\n${kept.join('\n')}\n\`\`\``),
  );
}

/** Returns anchors in GitHub's format. */
function anchorsOf(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
