import fc from 'fast-check';
import { expect, test } from 'vitest';
import { end, printed, record, records, target } from '../../../../../../test/support/cli/fake-services.ts';
import type { ResolveEvent } from '../../../domain/resolve-event.ts';

const ESC = '\u001b';
const AT = '2026-11-21T13:16:04.670123456Z';
const TRACE = '80c6a1f23b9c4d5e7a08b2d94c6e15f1';
const FAILED = `{"time":"${AT}","level":"error","msg":"payment of ord_4a1a failed","user":"ada","trace_id":"${TRACE}","error":"deadline exceeded"}`;
const web = target('checkout-79ff75dfcd-njwj2');
const other = target('checkout-79ff75dfcd-2mdwf');

async function shown(
  argv: readonly string[],
  lines: readonly (readonly [typeof web, string])[],
  terminal = false,
) {
  const targets = [...new Set(lines.map(([of]) => of))];
  const events: ResolveEvent[] = targets.map((of) => ({ type: 'added', target: of }));
  const written = lines.map(([of, text]) => record(of, AT, text));
  const options = terminal ? { terminal: true, env: { TERM: 'xterm-256color' } } : {};
  return printed(
    ['web', '-o', 'pretty', ...argv],
    [...events, { type: 'synced', open: true }],
    [records(...written), end()],
    options,
  );
}

test('a line has its level, time and message, then what went wrong, then the rest', async () => {
  const { stdout } = await shown(
    [],
    [
      [web, FAILED],
      [web, 'order placed'],
      [web, '10.0.0.9 - - [21/Nov/2026:10:00:00 +0000] "GET /cart HTTP/1.1" 503 12'],
    ],
  );
  expect(stdout).toBe(
    [
      'E 2026-11-21 13:16:04.670  payment of ord_4a1a failed  error="deadline exceeded" user=ada trace_id=80c6…f1',
      '  2026-11-21 13:16:04.670  order placed',
      'E 2026-11-21 13:16:04.670  GET /cart HTTP/1.1  status=503 bytes=12 client=10.0.0.9',
      '',
    ].join('\n'),
  );
});

test('the short name of the pod stands before a line when two containers are in view', async () => {
  const { stdout } = await shown(
    [],
    [
      [web, 'one'],
      [other, 'two'],
    ],
  );
  expect(stdout).toBe(
    '  2026-11-21 13:16:04.670 checkout-njwj2  one\n  2026-11-21 13:16:04.670 checkout-2mdwf  two\n',
  );
  const sidecar = { ...web, id: 'sidecar', container: 'proxy' };
  const both = await shown(
    [],
    [
      [web, 'one'],
      [sidecar, 'two'],
    ],
  );
  expect(both.stdout).toContain(' checkout-njwj2/proxy  two\n');
});

test('on a terminal the name has the color of its container, and what went wrong is red', async () => {
  const { stdout } = await shown(
    [],
    [
      [web, FAILED],
      [other, `${ESC}[32mgreen${ESC}[0m`],
    ],
    true,
  );
  const [first = '', second = ''] = stdout.split('\n');
  expect(first).toMatch(/^\u001b\[31mE\u001b\[0m .* \u001b\[38;5;\d+mcheckout-njwj2\u001b\[0m {2}payment/);
  expect(first).toContain(`${ESC}[31merror="deadline exceeded"${ESC}[0m ${ESC}[36muser=${ESC}[0mada`);
  expect(second).toContain(`  ${ESC}[32mgreen${ESC}[0m`);
});

test('--fields chooses fields and their order, a time or level too, with ids whole; --hide-fields leaves some out', async () => {
  const only = await shown(['--fields=trace_id,level,nothing', '--fields=user'], [[web, FAILED]]);
  expect(only.stdout).toContain(`failed  trace_id=${TRACE} level=error user=ada\n`);
  const hidden = await shown(['--hide-fields=trace_id,error'], [[web, FAILED]]);
  expect(hidden.stdout).toContain('failed  user=ada\n');
});

test('an id that is searched for is shown whole', async () => {
  const { stdout } = await shown([`--highlight=${TRACE.slice(8, 16)}`], [[web, FAILED]], true);
  expect(stdout).toContain(TRACE.slice(8, 16));
});

test('nothing reaches a terminal that it would obey, or a pipe', async () => {
  const odd = fc.constantFrom(
    ESC,
    `${ESC}[2J`,
    '\u0007',
    '\r',
    '\u009b',
    '\u202e',
    '"',
    '=',
    ' ',
    '{',
    'a',
    '\\n',
    '\\u001b',
  );
  const text = fc.array(odd, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const line = fc.oneof(
    text,
    fc.tuple(text, text).map(([a, b]) => JSON.stringify({ [a]: b, msg: a, error: { [b]: a } })),
    fc.tuple(text, text).map(([a, b]) => `msg a="${a}" b=${b}`),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (lines, terminal) => {
        const { stdout } = await shown(
          [],
          lines.map((own) => [web, own] as const),
          terminal,
        );
        const left = stdout.replaceAll(/\u001b\[[\d;]*m|\n/g, '');
        expect(left).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202e]/);
        expect(stdout.split('\n')).toHaveLength(lines.length + 1);
      },
    ),
    { numRuns: 100 },
  );
});
