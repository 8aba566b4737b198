import { expect, test } from 'vitest';
import { blocksOf, shellWords } from './markdown.ts';

test('blocks are found with their language and line', () => {
  expect(blocksOf('a\n```sh\nx\ny\n```\n\n```text\nz\n```\n')).toEqual([
    { language: 'sh', text: 'x\ny', line: 3 },
    { language: 'text', text: 'z', line: 8 },
  ]);
});

test('a command line is split as a shell splits it', () => {
  expect(shellWords(`logtool logs 'a b' "c\\"d" e\\ f --x='y z' ''`)).toEqual([
    'logtool',
    'logs',
    'a b',
    'c"d',
    'e f',
    '--x=y z',
    '',
  ]);
});
