import { describe, expect, test } from 'vitest';
import { record, target } from '../../../../../../test/support/cli/fake-services.ts';
import { planOf } from '../../../../../../test/support/cli/plan-of.ts';
import { ByteBuilder } from './byte-builder.ts';
import { createFormat } from './create-format.ts';
import { jsonValueText } from './template-format.ts';

const TARGET = target('web-0', { placement: { node: 'n1' } });

/** Returns the output for messages of one container, after the header. */
async function written(
  argv: readonly string[],
  messages: readonly (string | Uint8Array)[],
  terminal = false,
) {
  const { output } = await planOf(['web', ...argv]);
  const stream = { isTTY: terminal, columns: undefined, write: async () => {} };
  const format = await createFormat(output, { env: {}, stdout: stream });
  const to = new ByteBuilder();
  for (const message of messages) {
    format.append(record(TARGET, TIME, message), to);
  }
  return (format.header() ?? '') + Buffer.from(to.take()).toString();
}

const TIME = '1970-01-01T00:00:00.000000001Z';

describe('-o csv', () => {
  const COLUMNS = ['-ocsv', '--columns=timestamp,dot,pod,zone'];
  test('RFC 4180, with the columns of the table', async () => {
    expect(await written(COLUMNS, ['plain', 'a, "b"', 'c\rd'])).toBe(
      `timestamp,pod,zone,message\r\n${TIME},web-0,,plain\r\n${TIME},web-0,,"a, ""b"""\r\n${TIME},web-0,,"c\rd"\r\n`,
    );
  });
  test('a cell that a spreadsheet would run is disarmed', async () => {
    const text = await written(['-ocsv', '--columns=pod', '--hide-header'], ['=1+1', '@x', '-1']);
    expect(text).toBe(`web-0,"'=1+1"\r\nweb-0,"'@x"\r\nweb-0,"'-1"\r\n`);
  });
});

describe('-o tsv', () => {
  test('tabs and backslashes of a cell are escaped, formulas disarmed', async () => {
    expect(await written(['-otsv', '--columns=pod'], ['a\tb\\', '=1'])).toBe(
      "pod\tmessage\nweb-0\ta\\tb\\\\\nweb-0\t'=1\n",
    );
  });
  test('a terminal gets nothing that it would obey', async () => {
    expect(await written(['-otsv', '--columns=pod', '--hide-header'], ['\x1b[2Jx'], true)).not.toContain(
      '\x1b',
    );
  });
});

describe('--format', () => {
  const FORMAT = '--format={time} {pod}/{container} {zone} {level} {json.user.id} {message}';
  test('fields of the record and of a JSON message', async () => {
    const message = '{"level":"error","user":{"id":12345678901234567890}}';
    expect(await written([FORMAT], [message, 'plain'])).toBe(
      `${TIME} web-0/app - error 12345678901234567890 ${message}\n${TIME} web-0/app - - - plain\n`,
    );
  });
  test('a message keeps its bytes in a pipe, and is escaped on a terminal', async () => {
    expect(await written(['--format={message}'], ['\x1b[2Jx'])).toBe('\x1b[2Jx\n');
    expect(await written(['--format={json.a} {message}'], ['{"a":"\\u001b[2J"}'], true)).not.toContain(
      '\x1b',
    );
  });
});

test.each([
  ['{"a":{"b":[1,{"c":"x\\ny"}]}}', 'a.b.1.c', 'x\\ny'],
  ['{"a":1.50}', 'a', '1.50'],
  ['{"a":[1,"2",3e5]}', 'a', '[1,"2",3e5]'],
  ['{"a":null}', 'a', 'null'],
  ['{"a":"1"}', 'a', '1'],
  ['{"a":"say \\"7\\""}', 'a', 'say "7"'],
  ['{"a":1}', 'b', undefined],
  ['{"a":1}', 'a.b', undefined],
  ['{"a":1}', 'constructor', undefined],
  ['{"a":"x"}', 'a.length', undefined],
  ['{"a":1', 'a', undefined],
  ['[1]', '0', undefined],
])('%s at %s is %s', (message, path, text) => expect(jsonValueText(message, path.split('.'))).toBe(text));
