import { describe, expect, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { ALL_COMMANDS } from '../commands/commands.ts';
import { run } from '../run.ts';
import { isOnByDefault } from './flag.ts';
import { helpWidth, twoColumns, wrapText } from './help-layout.ts';
import { FLAGS } from './table.ts';

async function helpOf(name: string, width: number): Promise<string> {
  const { context, stdout } = capture([...name.split(' '), '--help'], { env: { COLUMNS: String(width) } });
  await run(context);
  return stdout();
}

const tokens = (text: string) => text.split(/\s+/).filter((token) => token !== '');

describe('help', () => {
  const stream = (isTTY: boolean, columns?: number) => ({ isTTY, columns, write: async () => undefined });

  test('is as wide as the terminal', () => {
    expect(helpWidth({ env: {}, stdout: stream(true, 72) })).toBe(72);
    expect(helpWidth({ env: {}, stdout: stream(true, 300) })).toBe(120);
    expect(helpWidth({ env: {}, stdout: stream(true, 0) })).toBe(100);
  });

  test('is 100 characters wide in a pipe, and as wide as COLUMNS everywhere', () => {
    expect(helpWidth({ env: {}, stdout: stream(false) })).toBe(100);
    expect(helpWidth({ env: { COLUMNS: '64' }, stdout: stream(false) })).toBe(64);
    expect(helpWidth({ env: { COLUMNS: '64' }, stdout: stream(true, 80) })).toBe(64);
    for (const COLUMNS of ['', '0', '-5', 'wide'])
      expect(helpWidth({ env: { COLUMNS }, stdout: stream(true, 80) })).toBe(80);
  });

  test.each(ALL_COMMANDS.map(({ name }) => name))('of %s loses no word at any width', async (name) => {
    const wide = tokens(await helpOf(name, 120)).sort();
    for (const width of [30, 60, 80, 100]) expect(tokens(await helpOf(name, width)).sort()).toEqual(wide);
  });

  test.each(ALL_COMMANDS.map(({ name }) => name))('of %s fits into 80 columns', async (name) => {
    // Help never wraps text that users copy: only an example's command may be longer.
    const tooLong = (await helpOf(name, 80)).split('\n').filter((line) => line.length > 80);
    expect(tooLong.filter((line) => !line.startsWith('  logtool '))).toEqual([]);
  });

  test('shows of a switch that is on by default the form that turns it off', async () => {
    const text = await helpOf('cluster install', 100);
    expect(text).toContain('      --no-wait ');
    expect(text).not.toMatch(/ --wait\b|default true/);
    for (const flag of FLAGS.filter(isOnByDefault))
      expect([flag.name, flag.negated]).toEqual([flag.name, expect.any(String)]);
  });
});

describe('two columns', () => {
  test('the second wraps under itself', () => {
    expect(
      twoColumns(
        [
          ['-a', 'one two three four five six seven eight'],
          ['--beta', 'nine'],
        ],
        40,
      ),
    ).toEqual(['  -a      one two three four five six', '          seven eight', '  --beta  nine']);
  });

  test('a long entry of the first has its own line, and widens no other', () => {
    expect(
      twoColumns(
        [
          ['-a', 'one'],
          ['--an-entry-that-is-long', 'two'],
        ],
        40,
      ),
    ).toEqual(['  -a  one', '  --an-entry-that-is-long', '      two']);
  });

  test('where there is no room beside, the second stands under the first', () => {
    expect(twoColumns([['--an-entry', 'one two three four five']], 30)).toEqual([
      '  --an-entry',
      '      one two three four five',
    ]);
  });
});

test('a word that is longer than the line gets its own line', () => {
  expect(wrapText('a https://kubernetes.io/docs b', 10)).toEqual(['a', 'https://kubernetes.io/docs', 'b']);
});
