import { expect, test } from 'vitest';
import { codeOf, planOf } from '../../../../../../test/support/cli/plan-of.ts';
import { rejectingWithMessage } from '../../../../../../test/support/with-message.ts';

const templateOf = async (format: string) => (await planOf(['web', '--format', format])).output.template;

test('fields, text and escapes', async () => {
  expect(await templateOf(String.raw`{time} {{x}}\t{ pod }|{message}{level}\n\\{json.user.0.id}\d`)).toEqual([
    { kind: 'column', column: 'timestamp' },
    ...[' ', '{', 'x', '}', '\t'].map((text) => ({ kind: 'text', text })),
    { kind: 'column', column: 'pod' },
    { kind: 'text', text: '|' },
    { kind: 'message' },
    { kind: 'level' },
    { kind: 'text', text: '\n' },
    { kind: 'text', text: '\\' },
    { kind: 'json', path: ['user', '0', 'id'] },
    { kind: 'text', text: '\\' },
    { kind: 'text', text: 'd' },
  ]);
});

test('an unknown field names those near it', async () => {
  await expect(rejectingWithMessage(templateOf('{pood}'))).rejects.toMatchObject({
    code: 'unknown-field',
    why: 'there is no field {pood}; did you mean {pod}?',
  });
});

test.each([
  ['{json}', 'unknown-field'],
  ['{json.}', 'unknown-field'],
  ['{json.a..b}', 'unknown-field'],
  ['{dot}', 'unknown-field'],
  ['{}', 'unknown-field'],
  ['{time', 'bad-format'],
  ['time}', 'bad-format'],
  ['', 'empty-value'],
])('%j is %s', async (format, code) => expect(await codeOf(['web', `--format=${format}`])).toBe(code));

test.each([
  [['--raw'], 'exclusive-format'],
  [['-ojson'], 'exclusive-format'],
  [['--columns=pod'], 'columns-without-effect'],
  [['--raw=false'], 'no error'],
])('with %j: %s', async (argv, code) =>
  expect(await codeOf(['web', '--format={message}', ...argv])).toBe(code),
);

test('an output of the environment gives way; nodes are read for their fields only', async () => {
  const { output, source } = await planOf(['web', '--format={zone}'], { env: { LOGTOOL_OUTPUT: 'json' } });
  expect([output.format, source.placement]).toEqual(['template', ['zone']]);
  expect((await planOf(['web', '--format={pod}'])).source.placement).toEqual([]);
});
