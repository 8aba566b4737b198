import { expect, test } from 'vitest';
import { blocksOf, commandsInText, shellArguments } from './markdown.ts';

test('blocks are found with their language and line', () => {
  expect(blocksOf('a\n```sh\nx\ny\n```\n\n```text\nz\n```\n')).toEqual([
    { language: 'sh', text: 'x\ny', line: 3 },
    { language: 'text', text: 'z', line: 8 },
  ]);
});

test('commands are found in a table of commands and as pipelines in text, and names of commands are none', () => {
  const page = [
    '| way | command |',
    '| --- | --- |',
    '| `a b` | `apt install x`, then `x` |',
    '| two | `echo a | cat` |',
    '',
    'For zsh `source <(x completion zsh)`, for fish `x completion fish | source`; see `x serve`.',
    '```sh',
    '`y | z`',
    '```',
    '| `no command` |',
  ].join('\n');
  expect(commandsInText(page)).toEqual([
    { text: 'apt install x', line: 3 },
    { text: 'echo a | cat', line: 4 },
    { text: 'source <(x completion zsh)', line: 6 },
    { text: 'x completion fish | source', line: 6 },
  ]);
});

test('a command line is split as a shell splits it', () => {
  expect(shellArguments(`logtool logs 'a b' "c\\"d" e\\ f --x='y z' ''`)).toEqual([
    'logtool',
    'logs',
    'a b',
    'c"d',
    'e f',
    '--x=y z',
    '',
  ]);
});
