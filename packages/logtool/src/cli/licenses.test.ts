import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { capture } from '../../../../test/support/cli/capture.ts';
import { run } from './run.ts';

const SECTIONS: Readonly<Record<string, string>> = {
  LICENSE: 'of the program\n\n',
  'dist/licenses.txt': 'a 1.0.0 (MIT)\n\nof a\n\n----\n\nboth 1.0.0 (MIT)\n\nof both\n',
  'dist/ui/licenses.txt': 'both 1.0.0 (MIT)\n\nof both\n\n----\n\npage 1.0.0 (ISC)\n\nof the page\n',
};
const WHOLE = `of the program

----

a 1.0.0 (MIT)

of a

----

both 1.0.0 (MIT)

of both

----

page 1.0.0 (ISC)

of the page
`;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-licenses-'));
  await mkdir(join(folder, 'dist/ui'), { recursive: true });
  for (const [path, text] of Object.entries(SECTIONS)) await writeFile(join(folder, path), text);
});
afterEach(() => rm(folder, { recursive: true }));

async function version(has: (path: string) => boolean, ...argv: readonly string[]) {
  const packageFile = (path: string) => (has(path) ? join(folder, path) : undefined);
  const world = capture(['version', ...argv], { overrides: { packageFile } });
  const code = await run(world.context);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

test('the licenses are those of the program, of what is in it and of its page, each once', async () => {
  const { code, stdout, stderr } = await version((path) => path in SECTIONS, '--licenses');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(WHOLE);
});

test('a file that holds its runtime shows the licenses of that too', async () => {
  await writeFile(join(folder, 'dist/licenses-of-bun.txt'), 'Bun (MIT)\n\nof Bun\n');
  const { stdout } = await version(() => true, '--licenses');
  expect(stdout).toBe(`${WHOLE}\n----\n\nBun (MIT)\n\nof Bun\n`);
});

test('licenses that are not there are an error, not a shorter list', async () => {
  for (const has of [(path: string) => path !== 'dist/licenses.txt' && path in SECTIONS, () => true]) {
    const { code, stdout, stderr } = await version(has, '--licenses');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('error: cannot show the licenses: cannot read dist/licenses');
    expect(stderr).toContain('why: there is no such file');
  }
});

test('without the flag, and with --licenses=false, prints only the version', async () => {
  for (const argv of [[], ['--licenses=false']])
    expect((await version(() => false, ...argv)).stdout).toBe('logtool 0.0.0-test\n');
});
