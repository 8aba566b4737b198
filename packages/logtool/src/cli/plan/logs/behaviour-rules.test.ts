import { describe, expect, test } from 'vitest';
import { codeOf, planOf } from '../../../../../../test/support/cli/plan-of.ts';
import { rejectingWithMessage, withMessage } from '../../../../../../test/support/with-message.ts';

const window = async (...argv: string[]) => (await planOf(['web', ...argv])).engine.window;
const time = (text: string) => ({ seconds: Date.parse(text) / 1000, nanos: 0 });
const NOON = '2026-11-21T12:00:00Z';
const ONE = '2026-11-21T13:00:00Z';

describe('rule 4.3.1: --head, --tail and --all are mutually exclusive', () => {
  test.each([
    [['--head', '--tail']],
    [['--head', '--all']],
    [['--tail', '--all']],
    [['--head=1', '--tail=1', '--all']],
    [['-h', '-t5']],
  ])('%j', async (argv) => expect(await codeOf(['web', ...argv])).toBe('exclusive-selection'));

  test('--all=false is not given', async () => {
    expect((await window('--all=false', '--head=3')).selection).toEqual({ kind: 'head', count: 3 });
  });
});

test('rule 4.3.2: --since and --after are mutually exclusive', async () => {
  expect(await codeOf(['web', `--since=${NOON}`, `--after=${NOON}`])).toBe('exclusive-start');
});

test('rule 4.3.3: --until and --before are mutually exclusive', async () => {
  expect(await codeOf(['web', `--until=${NOON}`, `--before=${NOON}`])).toBe('exclusive-end');
});

describe('rule 4.3.4: time points are ISO 8601 timestamps with a zone designator', () => {
  test.each(['since', 'until', 'after', 'before'])('--%s takes one', async (flag) => {
    const at = time('2026-11-21T11:00:00Z');
    const { from, to } = await window(`--${flag}=2026-11-21T12:00:00+01:00`);
    const kind = flag === 'since' || flag === 'until' ? 'inclusive' : 'strict';
    expect(from ?? to).toEqual({ kind, at });
    expect(from === undefined).toBe(flag === 'until' || flag === 'before');
  });

  test.each(['since', 'until', 'after', 'before'])('--%s refuses one without zone', async (flag) => {
    expect(await codeOf(['web', `--${flag}=2026-11-21T12:00:00`])).toBe('time-without-zone');
    expect(await codeOf(['web', `--${flag}=2026-11-21`])).toBe('time-date-only');
    expect(await codeOf(['web', `--${flag}=noon`])).toBe('time-malformed');
    expect(await codeOf(['web', `--${flag}=`])).toBe('time-malformed');
  });
});

describe('rule 4.3.5: --since and --until take durations, --after and --before do not', () => {
  test.each(['PT30M', '30m', 'PT0.5H'])('--since=%s', async (text) => {
    const { from, sinceSeconds } = await window(`--since=${text}`);
    expect(from).toEqual({ kind: 'inclusive', at: time('2026-11-21T09:30:00Z') });
    expect(sinceSeconds).toBe(1800);
  });

  test.each([
    ['--since=1d', 86_400],
    ['--since=1d12h', 129_600],
    ['--since-time=1d', 86_400],
  ])('%s', async (flag, seconds) => expect((await window(flag)).sinceSeconds).toBe(seconds));

  test('--since-time takes a time as --since does', async () =>
    expect((await window(`--since-time=${NOON}`)).from).toEqual({ kind: 'inclusive', at: time(NOON) }));

  test('--until=PT1M', async () => {
    const { to, sinceSeconds } = await window('--until=PT1M');
    expect(to).toEqual({ kind: 'inclusive', at: time('2026-11-21T09:59:00Z') });
    expect(sinceSeconds).toBeUndefined();
  });

  test.each(['after', 'before'])('--%s refuses one', async (flag) => {
    expect(await codeOf(['web', `--${flag}=PT30M`])).toBe('duration-not-allowed');
    expect(await codeOf(['web', `--${flag}=30m`])).toBe('duration-not-allowed');
  });

  test.each([
    ['P1Y', 'duration-calendar'],
    ['P1M', 'duration-calendar'],
    ['1y', 'time-malformed'],
    ['-5m', 'duration-negative'],
    ['P9999999D', 'time-out-of-range'],
  ])('--since=%s: %s', async (text, code) => expect(await codeOf(['web', `--since=${text}`])).toBe(code));
});

describe('rule 4.3.6: the last 10 records, or the first 10 since a point', () => {
  test('nothing asked for is tail 10', async () =>
    expect((await window()).selection).toEqual({ kind: 'tail', count: 10 }));
  test.each(['since', 'after'])('only --%s is head 10', async (flag) =>
    expect((await window(`--${flag}=${NOON}`)).selection).toEqual({ kind: 'head', count: 10 }),
  );
  test.each(['until', 'before'])('only --%s is tail 10', async (flag) =>
    expect((await window(`--${flag}=${NOON}`)).selection).toEqual({ kind: 'tail', count: 10 }),
  );
  test('--since with --tail=N is the last N of the window', async () =>
    expect((await window(`--since=${NOON}`, '--tail=3')).selection).toEqual({ kind: 'tail', count: 3 }));
  test('--since with --all is all of the window', async () =>
    expect((await window(`--since=${NOON}`, '--all')).selection).toEqual({ kind: 'all' }));
});

describe('rule 4.3.7: --all with --follow is everything and then what comes', () => {
  test('--all --follow', async () =>
    expect(await window('--all', '--follow')).toMatchObject({ selection: { kind: 'all' }, follow: true }));
  test('--since with --follow is everything from the point', async () =>
    expect(await window('--since=PT1M', '-f')).toMatchObject({ selection: { kind: 'all' }, follow: true }));
  test('--tail=0 --follow is only what is new', async () =>
    expect(await window('--tail=0', '-f')).toMatchObject({ selection: { kind: 'tail', count: 0 } }));
  test.each(['until', 'before'])('--follow with --%s is refused', async (flag) =>
    expect(await codeOf(['web', '-f', `--${flag}=${NOON}`])).toBe('follow-with-end'),
  );
  test('--follow with --head is refused', async () =>
    expect(await codeOf(['web', '-f', '--head'])).toBe('follow-with-head'));

  test('--backend auto reads rotated files anyway: --rotated beside it is refused', async () => {
    expect(await codeOf(['web', '--backend=auto', '--rotated'])).toBe('backend-with-rotated');
    expect((await planOf(['web', '--backend=auto', '--rotated=no'])).backend).toBe('auto');
  });
  test('refuses --follow with only the previous run', async () =>
    expect(await codeOf(['web', '-f', '-p'])).toBe('follow-with-previous'));
});

describe('rule 4.3.8: --head and --tail without a value use 10', () => {
  test.each(['--head', '-h', '--tail', '-t'])('%s', async (flag) => {
    const kind = flag.includes('h') ? 'head' : 'tail';
    expect((await window(flag)).selection).toEqual({ kind, count: 10 });
    expect((await window(flag, '5')).selection).toEqual({ kind, count: 5 });
  });

  test.each([
    ['--tail=-1', 'count-negative'],
    ['--tail=1.5', 'count-not-integer'],
    ['--tail=', 'count-not-integer'],
    ['--tail=many', 'count-not-integer'],
    ['--tail=9007199254740993', 'count-too-large'],
    ['--head=99999999999999999999999', 'count-too-large'],
    ['-t5x', 'count-not-integer'],
  ])('%s: %s', async (flag, code) => expect(await codeOf(['web', flag])).toBe(code));

  test('a negative number after a bare flag is its value, and wrong', async () =>
    expect(await codeOf(['web', '--tail', '-1'])).toBe('count-negative'));
  test('2^53 itself is taken', async () =>
    expect((await window('--tail=9007199254740992')).selection).toEqual({ kind: 'tail', count: 2 ** 53 }));
});

test('rule 4.3.9: source filters are handed to resolution, repeated and in lists', async () => {
  const { source } = await planOf([
    'web',
    '--region=a,b',
    '--region=c',
    '--zone=z',
    '--os=linux',
    '--arch=arm64, amd64',
    '--node=n1',
  ]);
  expect(source).toMatchObject({
    regions: ['a', 'b', 'c'],
    zones: ['z'],
    os: ['linux'],
    arch: ['arm64', 'amd64'],
    nodes: ['n1'],
  });
});

test.each(['--region=', '--zone=,', '--os= ', '--arch=', '--node=', '--level='])(
  'a filter with no value does not quietly keep everything: %j',
  async (flag) => expect(await codeOf(['web', flag])).toBe('empty-value'),
);

describe('rule 7.1: --grep needs --force', () => {
  test('without it', async () => expect(await codeOf(['web', '-g', 'a'])).toBe('grep-needs-force'));
  test('with it', async () => {
    const { engine } = await planOf(['web', '-g', 'a', '--force']);
    expect(engine.filter.grep).toBe('a');
  });
  test('several patterns match where any does', async () => {
    const { engine } = await planOf(['web', '-g', 'a|b', '-g', 'c', '--force']);
    expect(engine.filter.grep).toBe('(?:a|b)|(?:c)');
  });
  test('a pattern that is none is refused', async () =>
    expect(await codeOf(['web', '-g', '(', '--force'])).toBe('bad-pattern'));
  test('a quotation without an end takes in nothing of the next pattern', async () => {
    const { engine } = await planOf(['web', '--force', '-g', 'a\\\\Q.', '-g', '\\Qa.b', '-g', '\\Qc\\Ed']);
    expect(engine.filter.grep).toBe('(?:a\\\\Q.)|(?:\\Qa.b\\E)|(?:\\Qc\\Ed)');
  });
  test('what is wrong with a long pattern fits on a screen', async () => {
    const refused = planOf(['web', '--force', '-g', '('.repeat(50_000)]);
    await expect(rejectingWithMessage(refused)).rejects.toMatchObject({
      why: expect.stringMatching(/^.{20,400}$/),
    });
  });
});

describe('rule 7.2: what excludes each other is refused, and both flags are named', () => {
  const flags = [
    ['--head', '--tail'],
    ['--head', '--all'],
    ['--tail', '--all'],
    [`--since=${NOON}`, `--after=${NOON}`],
    [`--until=${NOON}`, `--before=${NOON}`],
  ];
  test.each(flags)('%s and %s, in either order', async (one, other) => {
    for (const argv of [
      [one, other],
      [other, one],
    ]) {
      const error = await planOf(['web', ...argv]).then(
        () => expect.fail('nothing was refused'),
        withMessage,
      );
      expect(error).toMatchObject({ exit: 'usage', code: expect.stringMatching(/^exclusive-/) });
      for (const flag of argv) expect(error.what).toContain(flag.replace(/=.*/, ''));
    }
  });
});

describe('an empty window is refused', () => {
  test.each([
    ['since', ONE, 'until', NOON],
    ['after', NOON, 'until', NOON],
    ['since', NOON, 'before', NOON],
    ['after', `${NOON}~2`, 'before', `${NOON}~2`],
    ['after', `${NOON}~3`, 'before', `${NOON}~2`],
  ])('--%s=%s --%s=%s', async (start, from, end, to) =>
    expect(await codeOf(['web', `--${start}=${from}`, `--${end}=${to}`])).toBe('empty-window'),
  );

  test.each([
    ['since', NOON, 'until', NOON],
    ['after', `${NOON}~2`, 'until', NOON],
    ['after', `${NOON}~1`, 'before', `${NOON}~2`],
  ])('--%s=%s --%s=%s may hold a record', async (start, from, end, to) =>
    expect(await codeOf(['web', `--${start}=${from}`, `--${end}=${to}`])).toBe('no error'),
  );
});

test('cursors are for --after and --before', async () => {
  const cursor = { at: time(NOON), shown: 2 };
  expect((await window(`--after=${NOON}~2`)).from).toEqual({ kind: 'cursor', cursor });
  expect((await window(`--before=${NOON}~2`)).to).toEqual({ kind: 'cursor', cursor });
  expect(await codeOf(['web', `--since=${NOON}~2`])).toBe('cursor-not-allowed');
  expect(await codeOf(['web', `--until=${NOON}~2`])).toBe('cursor-not-allowed');
});

test('-p is only the previous run', async () => {
  expect((await window()).previous).toBe('auto');
  expect((await window('-p')).previous).toBe('only');
  expect((await window('--previous=no')).previous).toBe('no');
  expect((await window('--previous=true')).previous).toBe('only');
  expect((await window('--previous=false')).previous).toBe('no');
  expect(await codeOf(['web', '--previous=yes'])).toBe('bad-choice');
});
