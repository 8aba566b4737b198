import { kubeFailure } from '@logtool/kube/src/values/failures.ts';
import { describe, expect, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import {
  at,
  end,
  fakeServices,
  printed,
  record,
  records,
  target,
} from '../../../../../test/support/cli/fake-services.ts';
import { expectGolden } from '../../../../../test/support/cli/golden.ts';
import { sourceState } from '../../../../../test/support/engine/container-report.ts';
import { COLUMN_NAMES } from '../../domain/columns.ts';
import type { ContainerFrame, Frame } from '../../domain/frame.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import { logs } from '../commands/logs.ts';
import { parseCommandLine } from '../flags/find-command.ts';
import { LogtoolError } from '../messages/logtool-error.ts';

const web = target('web-7d9f-abcde');
const db = target('db-0', { placement: { node: 'node-b' }, container: 'postgres' });
const events: readonly ResolveEvent[] = [
  { type: 'added', target: web },
  { type: 'added', target: db },
  { type: 'synced', open: true },
];
const frames: readonly Frame[] = [
  records(
    record(web, '2026-11-21T10:00:00.123456789Z', 'GET /healthz 200'),
    record(db, '2026-11-21T10:00:01Z', 'ready \x1b[32mgreen\x1b[0m \x1b[2J\x07'),
  ),
  end(),
];
const TERMINAL = { terminal: true, env: { TERM: 'xterm-256color' } };
const LEGEND = '\x1b[38;5;77m●\x1b[0m web-7d9f-abcde/app  \x1b[38;5;143m●\x1b[0m db-0/postgres\n';

describe('tables', () => {
  const sets: readonly (readonly [string, readonly string[]])[] = [
    ['default', []],
    ['every-column', [`--columns=${COLUMN_NAMES}`]],
    ['no-columns', ['--columns=']],
    ['no-header', ['--hide-header']],
    ['other-order', ['--columns=pod,timestamp']],
    ['added', ['--add-columns=namespace,pod']],
    ['removed', ['--remove-columns=timestamp']],
    ['raw', ['--raw']],
    ['json', ['-o', 'json']],
    ['berlin', ['--timezone=Europe/Berlin']],
    ['grep', ['--grep=e+', '--force']],
    ...COLUMN_NAMES.map((name) => [`only-${name}`, [`--columns=${name}`]] as const),
  ];

  test.each(sets)('%s in a pipe', async (name, argv) => {
    const { stdout, stderr, code } = await printed(['web', ...argv], events, frames);
    expect([stderr, code]).toEqual(['', 0]);
    expectGolden(`table/${name}.pipe.txt`, stdout);
  });

  test.each(sets)('%s on a terminal', async (name, argv) => {
    const { stdout, stderr, code } = await printed(['web', ...argv], events, frames, TERMINAL);
    const hasBullets = stdout.includes('●') && !stdout.includes('POD');
    expect([stderr, code]).toEqual([hasBullets ? LEGEND : '', 0]);
    expectGolden(`table/${name}.terminal.txt`, stdout);
  });

  test('a wider container that joins later widens its rows, and the header stays', async () => {
    const wide = target('a-pod-with-a-long-name');
    const { stdout } = await printed(
      ['web', '--columns=pod'],
      [{ type: 'added', target: db }],
      [
        records(record(db, '2026-11-21T10:00:00Z', 'one')),
        records(record(wide, '2026-11-21T10:00:01Z', 'two')),
      ],
    );
    expect(stdout).toBe('POD   MESSAGE\ndb-0  one\na-pod-with-a-long-name  two\n');
  });
});

const LATE =
  '! shop/web-7d9f-abcde/app: the log begins at 2026-11-18T12:06:40.000000000Z, 1 h after the container started: earlier records may be gone\n';

const OLDER_FILES =
  'the node may have older records in files that it rotated away: --rotated reads them, if you have permission to get nodes/proxy\n';

test.each([
  [true, '--tail=5', LATE + OLDER_FILES],
  [true, '--tail=5 --rotated', LATE],
  [false, '--tail=5', ''],
  [false, '--first', LATE],
])(
  'that a log begins late is reported only to users, and for a first record (terminal: %s, %s)',
  async (terminal, flag, reported) => {
    const notice: Frame = {
      type: 'gap',
      target: web,
      from: { seconds: 1_795_000_000, nanos: 0 },
      to: { seconds: 1_795_003_600, nanos: 0 },
      cause: {
        code: 'begins-late',
        data: { beginsAt: '2026-11-18T12:06:40.000000000Z', afterSeconds: 3600 },
      },
    };
    const { stderr } = await printed(
      ['web', '--columns=timestamp', ...flag.split(' ')],
      events,
      [records(record(web, '2026-11-21T10:00:00Z', 'one')), notice, end()],
      { terminal },
    );
    expect(stderr).toBe(reported);
  },
);

const GONE =
  '! shop/web-7d9f-abcde/app: records may be missing: the node no longer has 2 earlier runs; it keeps one\n';

test.each([
  ['--tail=5', [], GONE],
  ['--tail=5', ['one'], ''],
  ['--tail=0', [], ''],
  ['--tail=5 --level=error', ['one'], GONE],
  ['--tail=5 --level=error --follow', ['one'], ''],
])(
  'that runs are gone is reported where the result claims that there is nothing else: %s, %j',
  async (flag, texts, reported) => {
    const gone: Frame = {
      type: 'gap',
      target: web,
      from: undefined,
      to: undefined,
      cause: { code: 'runs-gone', data: { count: 2 } },
    };
    const { stderr } = await printed(['web', ...flag.split(' ')], events, [
      gone,
      records(...texts.map((text) => record(web, '2026-11-21T10:00:00Z', text))),
      end(),
    ]);
    expect(stderr).toBe(reported);
  },
);

describe('bytes', () => {
  const odd = Uint8Array.of(0xff, 0x00, 0x1b, 0x5b, 0x32, 0x4a, 0x0d);
  const line = (message: Uint8Array | string) => records(record(web, '2026-11-21T10:00:00Z', message));

  test('--raw changes no byte for a pipe', async () => {
    const { bytes } = await printed(['web', '--raw'], events, [line(odd), end()]);
    expect(bytes).toEqual(Buffer.concat([odd, Buffer.from('\n')]));
  });

  test.each([
    ['records', [line(odd), end()]],
    [
      'a log that is copied through',
      [{ type: 'bytes', bytes: odd.slice(0, 4) } as const, { type: 'bytes', bytes: odd.slice(4) } as const],
    ],
  ])('--raw gives a terminal nothing that it would obey: %s', async (_name, given) => {
    const { stdout } = await printed(['web', '--raw'], events, given, TERMINAL);
    expect(stdout).toBe('\ufffd\\x00^[[2J\n');
  });

  test('a pipe gets unchanged messages', async () => {
    const { bytes } = await printed(['web', '--columns='], events, [line(odd), end()]);
    expect(bytes).toEqual(Buffer.concat([odd, Buffer.from('\n')]));
  });

  test('a terminal gets nothing that it would obey', async () => {
    const { stdout } = await printed(['web', '--columns='], events, [line(odd), end()], TERMINAL);
    expect(stdout).toBe('\ufffd\\x00^[[2J\n');
  });

  test('JSON of bytes that are not UTF-8 has them in base64 too', async () => {
    const { stdout } = await printed(['web', '-o', 'json'], events, [line(odd), end()]);
    const { message, messageBase64 } = JSON.parse(stdout);
    expect(Buffer.from(messageBase64, 'base64')).toEqual(Buffer.from(odd));
    expect(message).toContain('\ufffd');
  });

  test('JSON in a message is passed on with its numbers unrounded', async () => {
    const { stdout } = await printed(['web', '-o', 'json'], events, [
      line('{"id": 12345678901234567890}\r'),
      end(),
    ]);
    expect(stdout).toContain('"json":{"id": 12345678901234567890}}\n');
    expect(JSON.parse(stdout).pod).toBe(web.pod);
  });

  test('JSON on a terminal escapes what a terminal would obey', async () => {
    const { stdout } = await printed(
      ['web', '-o', 'json'],
      events,
      [line('a\u009b2Jb\u202ec\x7f'), end()],
      TERMINAL,
    );
    expect(stdout).toContain('a\\u009b2Jb\\u202ec\\u007f');
  });

  test('bytes that are copied through end as they end', async () => {
    const copied: Frame[] = [
      { type: 'bytes', bytes: Buffer.from('one\ntw') },
      { type: 'bytes', bytes: Buffer.from('o') },
    ];
    const { stdout } = await printed(['web', '--raw'], events, copied);
    expect(stdout).toBe('one\ntwo');
  });

  test('a batch is one write', async () => {
    const many = Array.from({ length: 500 }, () => record(web, '2026-11-21T10:00:00Z', 'x'.repeat(300)));
    const { stdout, writes } = await printed(['web', '--hide-header'], events, [records(...many), end()]);
    expect(writes).toBe(1);
    expect(stdout.split('\n')).toHaveLength(501);
  });
});

describe('color', () => {
  const dots = async (argv: string[], options: object) =>
    (await printed(['web', '--columns=dot', ...argv], events, frames, options)).stdout.includes('●');
  test.each([
    [[], { terminal: false }, false],
    [[], { terminal: true }, true],
    [['--color=never'], { terminal: true }, false],
    [['--color=always'], { terminal: false }, true],
    [[], { terminal: true, env: { NO_COLOR: '1' } }, false],
    [[], { terminal: true, env: { NO_COLOR: '' } }, true],
    [[], { terminal: true, env: { TERM: 'dumb' } }, false],
    [[], { terminal: false, env: { FORCE_COLOR: '1' } }, true],
    [[], { terminal: true, env: { FORCE_COLOR: '0' } }, false],
    [['--color=always'], { terminal: true, env: { NO_COLOR: '1' } }, true],
    [[], { terminal: false, env: { LOGTOOL_COLOR: 'always' } }, true],
  ])('%j %j: %s', async (argv, options, expected) => expect(await dots(argv, options)).toBe(expected));
});

const SEARCHING: Frame = { type: 'progress', code: 'searching-back', data: { bytes: 5e6 } };

describe('standard error', () => {
  const source = (state: ContainerFrame['state'], detail = '', of = web): Frame => ({
    type: 'source',
    target: of,
    ...sourceState(state, detail, kubeFailure('unexpected', { why: '', isDefect: true })),
  });
  const live = end({ live: true });

  test('cursors', async () => {
    const cursor = { at: at('2026-11-21T10:00:00Z'), shown: 2 };
    const page = async (argv: string[], frame: Frame) =>
      (await printed(['web', '--with-cursors', ...argv], events, [frame])).stderr;
    const prev = '--- Prev page: --before 2026-11-21T10:00:00.000000000Z~2 ---\n';
    const next = '--- Next page: --after 2026-11-21T10:00:00.000000000Z~2 ---\n';
    expect(await page([], end({ prev: cursor }))).toBe(prev);
    expect(await page(['--head'], end({ next: cursor }))).toBe(next);
    expect(await page(['--head'], end({ prev: cursor, next: cursor }))).toBe(prev + next);
    expect(await page([], end())).toBe('--- End of logs ---\n');
    expect(await page(['--head'], end())).toBe('--- End of logs ---\n');
    expect(await page(['--head=0'], end())).toBe('');
    expect(await page(['--tail=0'], end())).toBe('');
    expect((await printed(['web'], events, [end({ prev: cursor })])).stderr).toBe('');
    // If matches have context lines, a position is more than the time of the next record.
    const begin = end({ prev: { ...cursor, shown: 0 } });
    expect(await page([], begin)).toBe(prev.replace('~2', ''));
    expect(await page(['--grep=x', '--force'], begin)).toBe(prev.replace('~2', '~0'));
  });

  test('reports what the default of 10 cut only on a terminal', async () => {
    const cut = [end({ cut: true })];
    const hint = 'showing the last 10; --tail=N, --all or --follow shows more\n';
    expect((await printed(['web'], events, cut, TERMINAL)).stderr).toBe(hint);
    expect((await printed(['web', '--tail'], events, cut, TERMINAL)).stderr).toBe('');
    expect((await printed(['web', '--quiet'], events, cut, TERMINAL)).stderr).toBe('');
    expect((await printed(['web'], events, cut)).stderr).toBe('');
  });

  test('reports joins and leaves on a terminal that follows', async () => {
    const story = [source('joined'), live, source('joined', '', db), source('left', 'the pod was deleted')];
    const reported = `${LEGEND}+ \x1b[38;5;143m●\x1b[0m shop/db-0/postgres joined\n- shop/web-7d9f-abcde/app left: the pod was deleted\n`;
    expect((await printed(['web', '-f'], events, story, TERMINAL)).stderr).toBe(reported);
    expect((await printed(['web', '-f', '--quiet'], events, story, TERMINAL)).stderr).toBe('');
    expect((await printed(['web', '-f'], events, story)).stderr).toBe('');
  });

  test('reports once that a container waits, and again when it waits again', async () => {
    const waits = source('waiting', 'CrashLoopBackOff');
    const story = [waits, live, waits, waits, source('restarted', '2nd time'), waits];
    expect((await printed(['web', '-f', '--columns='], events, story, TERMINAL)).stderr).toBe(
      '~ shop/web-7d9f-abcde/app is waiting: CrashLoopBackOff\n' +
        '~ shop/web-7d9f-abcde/app restarted (2nd time)\n' +
        '~ shop/web-7d9f-abcde/app is waiting: CrashLoopBackOff\n',
    );
  });

  test('reports gaps and notices everywhere, even with --quiet', async () => {
    const story: Frame[] = [
      {
        type: 'gap',
        target: web,
        from: at('2026-11-21T10:00:00Z'),
        to: undefined,
        cause: { code: 'rotated', data: {} },
      },
      { type: 'notice', code: 'namespace-forbidden', data: { namespace: 'sh\x1b[2Jop' } },
    ];
    expect((await printed(['web', '--quiet'], events, story)).stderr).toBe(
      '! shop/web-7d9f-abcde/app: records from 2026-11-21T10:00:00.000000000Z may be missing: the node rotated the log\n' +
        'logtool leaves out namespace "sh^[[2Jop"\n',
    );
  });

  test('progress is taken away before a header without records too', async () => {
    const world = capture([], TERMINAL);
    const order: string[] = [];
    const into = (name: string) => ({
      isTTY: true,
      columns: 100,
      write: async (chunk: string | Uint8Array) => {
        order.push(`${name} ${String(chunk)}`);
      },
    });
    const context = { ...world.context, stdout: into('out'), stderr: into('err') };
    const { services } = fakeServices(events, [SEARCHING, end()]);
    await logs(context, parseCommandLine(['logs', 'web', '--columns=pod', '--quiet=false']), services);
    expect(order).toEqual([
      'err \r\x1b[2Ksearching further back, 5 MB read',
      'err \r\x1b[2K',
      'out POD             MESSAGE\n',
      'err no records of 2 containers\n',
    ]);
  });

  test('reports an empty result only on a terminal', async () => {
    const limited: Frame = { type: 'notice', code: 'search-limit', data: { at: 'then' } };
    const reported = async (argv: string[], story: readonly Frame[], options: object = TERMINAL) =>
      (await printed(['web', ...argv], events, story, options)).stderr;
    const grep = ['--grep=x', '--force'];
    expect(await reported([], [end()])).toBe('no records of 2 containers\n');
    expect(await reported(['--tail=0'], [end()])).toBe('');
    expect(await reported(grep, [end()])).toBe('no records of 2 containers match\n');
    expect(await reported(['--level=error'], [end()])).toBe('no records of 2 containers match\n');
    expect(await reported(grep, [limited, end()])).toBe(
      'searched back to then; --search-limit searches further\nno match in the part of 2 containers that logtool searched\n',
    );
    expect(await reported(grep, [end()], {})).toBe('');
    expect(await reported(['--quiet'], [end()])).toBe('');
    expect(await reported(['--follow', '--columns='], [end({ live: true })])).toBe('');
    expect(await reported(['--columns='], frames)).toBe('');
  });

  test('a container that has not started is named beside the records of others', async () => {
    const story = [source('waiting', 'ImagePullBackOff'), ...frames];
    const { code, stderr } = await printed(['web'], events, story);
    expect([code, stderr]).toEqual([0, '~ shop/web-7d9f-abcde/app has not started: ImagePullBackOff\n']);
    expect((await printed(['web', '--quiet'], events, story)).stderr).toBe('');
    const many = Array.from({ length: 8 }, (_, n) => source('waiting', '', target(`web-${n}`)));
    expect((await printed(['web'], events, [...many, ...frames])).stderr).toMatch(
      /^(~ shop\/web-\d\/app has not started\n){5}~ 3 more have not started\n$/,
    );
  });

  test('progress is one line on a terminal, taken away before records', async () => {
    const story: Frame[] = [SEARCHING, ...frames];
    const shown = `\r\x1b[2Ksearching further back, 5 MB read\r\x1b[2K${LEGEND}`;
    expect((await printed(['web'], events, story, TERMINAL)).stderr).toBe(shown);
    expect((await printed(['web'], events, story)).stderr).toBe('');
    expect((await printed(['web', '--quiet'], events, story, TERMINAL)).stderr).toBe('');
  });

  test('reports once that containers are read in turns, if it cannot overwrite the line', async () => {
    const turns: Frame = { type: 'progress', code: 'in-turns', data: { limit: 1, total: 3 } };
    const read = (done: number): Frame => ({
      type: 'progress',
      code: 'containers-read',
      data: { done, total: 3 },
    });
    const story = [turns, read(1), read(2), ...frames];
    const inTurns = 'reading 1 of 3 containers at a time, in turns; --max-log-requests=3 reads all at once';
    const updates = [1, 2].map(
      (done) => `${done} of 3 containers read; --max-log-requests reads more at once`,
    );
    expect((await printed(['web'], events, story)).stderr).toBe(`${inTurns}\n`);
    expect((await printed(['web', '--quiet'], events, story)).stderr).toBe('');
    const onTerminal = [inTurns, ...updates].map((text) => `\r\x1b[2K${text}`).join('');
    expect((await printed(['web'], events, story, TERMINAL)).stderr).toBe(`${onTerminal}\r\x1b[2K${LEGEND}`);
  });
});

describe('failures', () => {
  const error = new LogtoolError({
    code: 'forbidden',
    what: 'you may not read it',
    why: 'no get',
    next: 'ask',
  });

  test('reports a failed source, prints the others, and exits with 1', async () => {
    const failed: Frame = { type: 'source', target: web, state: 'failed', error };
    const { code, stdout, stderr } = await printed(['web'], events, [failed, failed, ...frames]);
    expect(code).toBe(1);
    expect(stdout).toContain('GET /healthz');
    expect(stderr).toBe('error: you may not read it\n  why: no get\n  next: ask\n');
  });

  test('reports a failed source argument once and does not hand it to the engine', async () => {
    const { code, seen } = await printed(['web'], [{ type: 'failed', error }, ...events], frames);
    expect(code).toBe(1);
    expect(seen.events.map((event) => event.type)).toEqual(['added', 'added', 'synced']);
    expect(seen.closed).toBe(true);
  });

  test('nothing but a failure prints no header', async () => {
    const { stdout } = await printed(
      ['web'],
      [
        { type: 'failed', error },
        { type: 'synced', open: false },
      ],
      [end()],
    );
    expect(stdout).toBe('');
  });

  test('--previous of containers that were never restarted is an error', async () => {
    const { code, stdout, stderr } = await printed(['web', '-p'], events, [end()]);
    expect([code, stdout]).toEqual([1, '']);
    expectGolden('errors/no-previous.txt', stderr);
    const again = target('web-0', { lastContainerId: 'containerd://0' });
    const kept = await printed(['web', '-p'], [{ type: 'added', target: again }], [end()]);
    expect(kept.code).toBe(0);
  });

  test('--previous of a run that left its node is an error, and a line beside others', async () => {
    const again = target('web-0', { lastContainerId: 'containerd://0' });
    const joined: readonly ResolveEvent[] = [{ type: 'added', target: again }];
    const removed: Frame = {
      type: 'notice',
      code: 'run-removed',
      data: { container: { namespace: 'shop', pod: 'web-0', container: 'app' } },
    };
    const only = await printed(['web', '-p'], joined, [removed, end()]);
    expect([only.code, only.stdout]).toEqual([1, '']);
    expectGolden('errors/no-previous.txt', only.stderr);
    const beside = [records(record(again, '2026-11-21T10:00:00Z', 'dying')), removed, end()];
    const one = await printed(['web', '-p', '--columns='], joined, beside);
    expect(one).toMatchObject({
      code: 0,
      stdout: 'dying\n',
      stderr: '~ the node no longer has the previous run of shop/web-0/app\n',
    });
    const many = Array.from({ length: 7 }, () => removed);
    const seven = await printed(['web', '-p', '--columns='], joined, [...beside, ...many.slice(1)]);
    expect(seven.stderr.split('\n')).toHaveLength(7);
    expect(seven.stderr).toContain('~ the same for 2 more\n');
  });

  test('a container that never started is an error when it is not waited for', async () => {
    const waiting: Frame = { type: 'source', target: web, state: 'waiting', reason: 'ImagePullBackOff' };
    const { code, stderr } = await printed(['web'], events, [waiting, end()]);
    expect(code).toBe(1);
    expectGolden('errors/container-waiting.txt', stderr);
    expect((await printed(['web', '-f'], events, [waiting, end({ live: true })])).code).toBe(0);
  });
});
