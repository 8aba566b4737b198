import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test, vi } from 'vitest';
import { containerNamed } from '../../../../../test/support/engine/records-with.ts';
import { rejectingWithMessage } from '../../../../../test/support/with-message.ts';
import type { FilterPlan } from '../../domain/filter.ts';
import { type LogRecord, makeRun } from '../../domain/record.ts';
import { compileFilter, compileHighlight, joinSpans } from './compile-filter.ts';
import { ContextLines } from './context-lines.ts';

const SOURCES = new Map(['a', 'b'].map((name) => [name, makeRun(containerNamed(name), 'c')]));

/** `a:text` is a record of container a, and so is text without a prefix. */
function record(text: string, seq = 0): LogRecord {
  const [name, message] = /^[ab]:/.test(text) ? [text.slice(0, 1), text.slice(2)] : ['a', text];
  const run = SOURCES.get(name);
  if (run === undefined) throw new Error(name);
  const at = { seconds: seq, nanos: 0 };
  return { run, at, seq, message: Buffer.from(message), partial: false, late: false };
}

function texts(records: readonly LogRecord[]): readonly string[] {
  return records.map(({ message }) => Buffer.from(message).toString());
}

function planOf(more: Partial<FilterPlan>): FilterPlan {
  return { exclude: [], ignoreCase: false, levels: [], beforeContext: 0, afterContext: 0, ...more };
}

async function filtered(plan: Partial<FilterPlan>, lines: readonly string[]): Promise<readonly string[]> {
  const filter = (await compileFilter(planOf(plan))).open();
  // One at a time: the ends of batches must not matter.
  return texts(lines.flatMap((text, index) => filter([record(text, index)])));
}

test('grep, exclude and level must all agree', async () => {
  const lines = ['ERROR disk', 'ERROR net', 'INFO disk', 'ERROR disk quota', 'disk'];
  expect(await filtered({ grep: 'disk' }, lines)).toEqual([
    'ERROR disk',
    'INFO disk',
    'ERROR disk quota',
    'disk',
  ]);
  expect(await filtered({ grep: 'disk', levels: ['error'] }, lines)).toEqual([
    'ERROR disk',
    'ERROR disk quota',
  ]);
  expect(await filtered({ exclude: ['net', 'q.*a'], levels: ['error', 'info'] }, lines)).toEqual([
    'ERROR disk',
    'INFO disk',
  ]);
  expect(await filtered({}, lines)).toEqual(lines);
});

test('all of several patterns must match the same line, and lines without a level can be asked for', async () => {
  const lines = ['ERROR disk', 'INFO full', 'disk is full', 'FULL Disk'];
  expect(await filtered({ grep: 'disk', also: ['f.ll'] }, lines)).toEqual(['disk is full']);
  expect(await filtered({ grep: 'd.sk', also: ['full'], ignoreCase: true }, lines)).toEqual([
    'disk is full',
    'FULL Disk',
  ]);
  expect(await filtered({ levels: ['none', 'info'] }, lines)).toEqual(lines.slice(1));
  const trace = ['panic: disk', 'goroutine 1 [running]:', 'main.full()', '\t/app/main.go:3 +0x1'];
  expect(await filtered({ grep: 'main', also: ['panic'], wholeRecords: true }, trace)).toEqual([]);
});

test('the line that matches the pattern must have the fields, whatever the format', async () => {
  const lines = [
    '{"status":503,"user":"ada"}',
    'level=error status=503 user=bo',
    'status=200 user=ada',
    '\u001b[31mlevel=error\u001b[0m status=504',
    'the status is 503',
  ];
  const field = (path: string, value: string, exclude = false) => ({ path, value, exclude });
  expect(await filtered({ fields: [field('status', '503')] }, lines)).toEqual(lines.slice(0, 2));
  expect(await filtered({ fields: [field('status', '>=500')], grep: 'error' }, lines)).toEqual([
    lines[1],
    lines[3],
  ]);
  expect(await filtered({ fields: [field('status', '503'), field('user', 'ada', true)] }, lines)).toEqual([
    lines[1],
  ]);
  expect(await filtered({ fields: [field('user', 'Ada')] }, lines)).toEqual([]);
});

test('a record passes as a whole if one of its lines has the fields, and none an excluded one', async () => {
  const trace = ['level=error msg=failed', 'panic: status=503', 'goroutine 1 [running]:', 'main.main()'];
  const json = ['{', '  "status": 503', '}'];
  const fields = (path: string, value: string, exclude = false) => [{ path, value, exclude }];
  const whole = { wholeRecords: true };
  expect(
    await filtered({ ...whole, fields: fields('level', 'error') }, [...trace, 'level=info x=1', '']),
  ).toEqual(trace.slice(0, 1));
  expect(
    await filtered({ ...whole, fields: fields('x', '1', true) }, [
      'level=info x=1',
      'level=info x=2',
      ...json,
      'x=1 y=1',
    ]),
  ).toEqual(['level=info x=2', ...json]);
});

test('case is ignored for both kinds of pattern', async () => {
  expect(await filtered({ grep: 'disk', exclude: ['net'], ignoreCase: true }, ['DISK', 'disk NET'])).toEqual([
    'DISK',
  ]);
});

test('colors do not get in the way, and stay', async () => {
  const line = 'a \u001b[31mdi\u001b[1msk\u001b[0m full';
  expect(await filtered({ grep: 'a disk full' }, [line])).toEqual([line]);
  expect(await filtered({ grep: '31m' }, [line])).toEqual([]);
  expect(await filtered({ grep: '^a d.sk' }, [line])).toEqual([line]);
});

test.each([
  [{ beforeContext: 1 }, ['2', 'x3', 'x4', '7', 'x8']],
  [{ afterContext: 1 }, ['x3', 'x4', '5', 'x8', '9']],
  [{ beforeContext: 2, afterContext: 2 }, ['1', '2', 'x3', 'x4', '5', '6', '7', 'x8', '9', '10']],
  [{ beforeContext: 9 }, ['1', '2', 'x3', 'x4', '5', '6', '7', 'x8']],
])('context %j', async (context, expected) => {
  const lines = ['1', '2', 'x3', 'x4', '5', '6', '7', 'x8', '9', '10', '11'];
  expect(await filtered({ grep: 'x', ...context }, lines)).toEqual(expected);
});

test('context is that of the same container', async () => {
  const lines = ['a:a1', 'b:b1', 'a:xa', 'b:b2', 'a:a2', 'b:xb'];
  expect(await filtered({ grep: 'x', beforeContext: 1, afterContext: 1 }, lines)).toEqual([
    'a1',
    'xa',
    'a2',
    'b2',
    'xb',
  ]);
});

test('each filter that is opened has a state of its own', async () => {
  const filter = await compileFilter(planOf({ grep: 'x', beforeContext: 1 }));
  filter.open()([record('1')]);
  expect(texts(filter.open()([record('x')]))).toEqual(['x']);
});

test('context agrees with a slow and plain rule', async () => {
  const lines = fc.array(fc.constantFrom('x', '-'), { maxLength: 30 });
  const count = fc.nat({ max: 4 });
  await fc.assert(
    fc.asyncProperty(lines, count, count, async (marks, beforeContext, afterContext) => {
      const named = marks.map((mark, index) => `${mark}${index}`);
      const expected = named.filter((_, index) =>
        marks.some((mark, at) => mark === 'x' && at >= index - afterContext && at <= index + beforeContext),
      );
      expect(await filtered({ grep: 'x', beforeContext, afterContext }, named)).toEqual(expected);
    }),
  );
});

test('what waits for a match is bounded in bytes, whatever the count says', () => {
  const context = new ContextLines(1000, 0, 100);
  const out: LogRecord[] = [];
  for (let index = 0; index < 50; index++) {
    const message = new Uint8Array(10).fill(index);
    context.take({ ...record(index % 2 === 0 ? 'a:' : 'b:', index), message }, false, out);
    expect(context.heldBytes).toBeLessThanOrEqual(100);
  }
  context.take(record('a:match', 50), true, out);
  expect(out.length).toBeGreaterThan(1);
  expect(out.length).toBeLessThanOrEqual(11);
  expect(out.at(-2)?.message[0]).toBe(48);
});

test('counts a chunk that several records share once, and frees it after all of them', () => {
  const context = new ContextLines(3, 0);
  const out: LogRecord[] = [];
  const chunks = [new Uint8Array(1000), new Uint8Array(500)];
  const given = [0, 0, 1, 1, 1].map((chunk, index) => ({
    ...record('a:', index),
    message: (chunks[chunk] ?? new Uint8Array()).subarray(index, index + 1),
  }));
  const held = given.map((one) => {
    context.take(one, false, out);
    return context.heldBytes;
  });
  expect(held).toEqual([1000, 1000, 1500, 1500, 500]);
  context.take(record('a:match', 9), true, out);
  expect(context.heldBytes).toBe(0);
  expect(out.slice(0, 3)).toEqual(given.slice(2));
  expect(out[0]).toBe(given[2]);
});

test('spans point into the text as given', async () => {
  const { matchSpans } = await compileFilter(planOf({ grep: 'd.sk' }));
  expect(matchSpans('disk and dusk')).toEqual([
    { start: 0, end: 4 },
    { start: 9, end: 13 },
  ]);
  const colored = '\u001b[31mdi\u001b[1msk\u001b[0m';
  expect(matchSpans(colored).map(({ start, end }) => colored.slice(start, end))).toEqual(['di\u001b[1msk']);
  expect((await compileFilter(planOf({}))).matchSpans('disk')).toEqual([]);
});

test('places that match nothing are no spans', async () => {
  const { matchSpans } = await compileFilter(planOf({ grep: 'x*' }));
  expect(matchSpans('axxb')).toEqual([{ start: 1, end: 3 }]);
});

test('several highlights are joined', async () => {
  const highlight = await compileHighlight(['ab', 'b.', 'z'], false);
  expect(highlight('abcz')).toEqual([{ start: 0, end: 4 }]);
  expect(
    joinSpans([
      { start: 5, end: 6 },
      { start: 0, end: 4 },
      { start: 1, end: 2 },
    ]),
  ).toEqual([
    { start: 0, end: 4 },
    { start: 5, end: 6 },
  ]);
});

test('a wrong pattern is a usage error that names its flag', async () => {
  await expect(rejectingWithMessage(compileFilter(planOf({ grep: '(' })))).rejects.toMatchObject({
    exit: 'usage',
    what: expect.stringContaining('--grep'),
  });
  await expect(rejectingWithMessage(compileFilter(planOf({ exclude: ['['] })))).rejects.toMatchObject({
    what: expect.stringContaining('--exclude'),
  });
});

test('a batch is filtered as its records one by one, colors, unequal patterns and context included', async () => {
  const texts = fc.array(
    fc.constantFrom(
      'a',
      'needle',
      'needle 1',
      'n\x1b[1meedle',
      '\x1b[0mneedle',
      'need',
      'le 12',
      '',
      'x1y',
      '\ufffdneedle',
    ),
    { maxLength: 30 },
  );
  const greps = fc.constantFrom('needle', 'needle \\d', 'ne+dle', 'x|needle', '1', 'd?le');
  const contexts = fc.record({ beforeContext: fc.nat(2), afterContext: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(texts, greps, contexts, fc.boolean(), async (lines, grep, context, ignoreCase) => {
      const all = Buffer.from(lines.join('\n'));
      let start = 0;
      const records = lines.map((text, seq) => {
        const message = all.subarray(start, start + Buffer.byteLength(text));
        start += message.length + 1;
        return { ...record('', seq), message };
      });
      const filter = await compileFilter(planOf({ grep, ignoreCase, ...context }));
      const [whole, single] = [filter.open(), filter.open()];
      expect(whole(records)).toEqual(records.flatMap((one) => single([one])));
      if (context.beforeContext + context.afterContext === 0)
        expect(whole(records)).toEqual(records.filter(filter.matches));
    }),
  );
});

test('patterns that are too large together are refused before any of them is compiled', async () => {
  const compile = vi.spyOn(RE2JS, 'compile');
  const plan = planOf({ grep: '(?i)[^\\pLa]{1000}', exclude: Array(50).fill('[^\\pLa]{1000}') });
  const refusal = {
    code: 'pattern-too-large',
    exit: 'usage',
    why: expect.stringMatching(/about 5\d,\d{3} instructions; a query may have 10,000/),
    next: expect.stringContaining('{n,m}'),
  };
  await expect(rejectingWithMessage(compileFilter(plan))).rejects.toMatchObject(refusal);
  expect(compile).not.toHaveBeenCalled();
  compile.mockRestore();
});

test('literals are searched as bytes, however many and long they are', async () => {
  const long = 'x'.repeat(20_000);
  expect(await filtered({ grep: long }, [long, 'x'])).toEqual([long]);
});
