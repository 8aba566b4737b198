import { expect, test } from 'vitest';
import { record, target } from '../../../../../test/support/cli/fake-services.ts';
import { planOf } from '../../../../../test/support/cli/plan-of.ts';
import { ByteBuilder } from './format/byte-builder.ts';
import { createFormat } from './format/create-format.ts';

/** A cluster may answer with any text. */
const HOSTILE = target('web\x1b]0;title\x07\u202e\u200b\x9b1m', {
  placement: { node: 'n\x1b[8m1', zone: 'z\u2066' },
});
const MESSAGE = 'bytes \x1b[2J\u200b\x9b stay';

async function piped(argv: readonly string[], from = HOSTILE) {
  const { output } = await planOf(['web', ...argv]);
  const stdout = { isTTY: false, columns: undefined, write: async () => {} };
  const format = await createFormat(output, { env: {}, stdout });
  format.see(from);
  const to = new ByteBuilder();
  format.append(record(from, '1970-01-01T00:00:00.000000001Z', MESSAGE), to);
  return Buffer.from(to.take()).toString();
}

test.each([
  ['the table', ['--columns=pod,node,zone']],
  ['CSV', ['-ocsv', '--columns=pod,node,zone']],
  ['TSV', ['-otsv', '--columns=pod,node,zone']],
  ['--format', ['--format={pod} {node} {zone} {message}']],
])('%s in a pipe has safe names and the unchanged message: a pager may read it', async (_, argv) => {
  const text = await piped(argv);
  // TSV escapes each backslash again.
  expect(text.replaceAll('\\\\', '\\')).toContain('web^[]0;title\\x07\\u202e\\u200b\\x9b1m');
  expect(text.replace(MESSAGE, '')).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202e\u2066]/);
  expect(text).toContain(MESSAGE);
});

test('JSON in a pipe escapes such names, which changes no value', async () => {
  const text = await piped(['-ojson']);
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e\u2066]/);
  expect(JSON.parse(text)).toMatchObject({ pod: HOSTILE.pod, node: 'n\x1b[8m1', message: MESSAGE });
});

test('JSON in a pipe does not change messages of plain names', async () => {
  expect(await piped(['-ojson'], target('web-0', {}))).toContain('\u200b\x9b stay');
});
