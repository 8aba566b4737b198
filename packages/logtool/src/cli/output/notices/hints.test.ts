import { describe, expect, test } from 'vitest';
import {
  at,
  end,
  printed,
  record,
  records,
  target,
} from '../../../../../../test/support/cli/fake-services.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { Frame } from '../../../domain/frame.ts';
import type { ResolveEvent } from '../../../domain/resolve-event.ts';

const TERMINAL = { terminal: true, env: { TERM: 'xterm' } };
const known = (...targets: readonly ContainerTarget[]): readonly ResolveEvent[] => [
  ...targets.map((each): ResolveEvent => ({ type: 'added', target: each })),
  { type: 'synced', open: true },
];
const line = (of: ContainerTarget): Frame => records(record(of, '2026-11-21T10:00:00Z', 'ready'));

describe('containers that are left out', () => {
  const web = target('web-0', { hidden: ['metrics', 'wait-for-db'] });
  const argv = ['web', '--columns='];
  const hint = 'showing container app; also: metrics, wait-for-db (--all-containers)\n';

  test('are named once, on a terminal', async () => {
    const again = target('web-1', { hidden: ['metrics', 'wait-for-db'] });
    const frames = [line(web), end({ live: true }), line(again)];
    expect((await printed([...argv, '-f'], known(web, again), frames, TERMINAL)).stderr).toBe(hint);
    expect((await printed(argv, known(web), [line(web), end()])).stderr).toBe('');
    expect((await printed([...argv, '--quiet'], known(web), [line(web), end()], TERMINAL)).stderr).toBe('');
  });

  test('are not those that another source asks for', async () => {
    const metrics = target('web-0', { id: 'uid-web-0/metrics', container: 'metrics' });
    const { stderr } = await printed(argv, known(web, metrics), [end({ cut: true })], TERMINAL);
    expect(stderr).toContain('showing containers app, metrics; also: wait-for-db (--all-containers)\n');
  });

  test('are counted where they are many', async () => {
    const many = target('web-0', { hidden: Array.from({ length: 9 }, (_, n) => `c${n}`) });
    const { stderr } = await printed(argv, known(many), [line(many), end()], TERMINAL);
    expect(stderr).toBe('showing container app; also: c0, c1, c2, c3, c4 and 4 more (--all-containers)\n');
  });
});

describe('the legend', () => {
  const pods = Array.from({ length: 100 }, (_, index) => target(`web-${index}`));
  const [first, second] = pods as [ContainerTarget, ContainerTarget];
  const legend = async (
    argv: readonly string[],
    events: readonly ResolveEvent[],
    frames: readonly Frame[],
    options = TERMINAL,
  ) =>
    (await printed(['web', ...argv], events, frames, options)).stderr.replaceAll(/\x1b\[\d+m●\x1b\[0m/g, '●');

  test('names the containers of the records printed, in a merged view on a terminal', async () => {
    const frames = [line(second), line(first), line(second), end()];
    expect(await legend([], known(...pods), frames)).toBe('● web-1  ● web-0\n');
    expect(await legend([], known(first), [line(first), end()])).toBe('');
  });

  test.each([
    ['in a pipe', [], {}],
    ['with --raw', ['--raw'], TERMINAL],
    ['with JSON', ['-o', 'json'], TERMINAL],
    ['without color', ['--color=never'], TERMINAL],
    ['with NO_COLOR', [], { terminal: true, env: { NO_COLOR: '1' } }],
    ['without bullets', ['--remove-columns=dot'], TERMINAL],
    ['where rows bear names', ['--add-columns=pod'], TERMINAL],
    ['with --quiet', ['--quiet'], TERMINAL],
  ])('is absent %s', async (_, argv, options) => {
    expect(
      (await printed(['web', ...argv], known(first, second), [line(first), end()], options)).stderr,
    ).toBe('');
  });

  test('has the bullet of the rows', async () => {
    const { stdout, stderr } = await printed(['web'], known(first, second), [line(second), end()], TERMINAL);
    const bullet = /\x1b\[\d+m●\x1b\[0m/.exec(stdout)?.[0];
    expect(stderr).toBe(`${bullet} web-1\n`);
  });

  test('shows the names that distinguish containers', async () => {
    const other = target('web-0', { id: 'x', namespace: 'prod', container: 'proxy' });
    expect(await legend([], known(first, other), [line(first), line(other), end()])).toBe(
      '● shop/web-0/app  ● prod/web-0/proxy\n',
    );
  });

  test('is short for 100 containers, and wraps', async () => {
    const frames = [...pods.map(line), end()];
    expect(await legend([], known(...pods), frames)).toBe(
      '● web-0  ● web-1  ● web-2  ● web-3  ● web-4  ● web-5  ● web-6  ● web-7  ● web-8  ● web-9\n' +
        'and 90 more; --add-columns pod names each\n',
    );
  });

  test('of a followed view appears before new records', async () => {
    const frames = [line(second), end({ live: true }), line(first)];
    expect(await legend(['-f'], known(first, second), frames)).toBe('● web-1  ● web-0\n');
  });
});

describe('an empty result', () => {
  const events = known(target('web-0'), target('web-1'), target('web-2'));
  const reported = async (...argv: string[]) =>
    (await printed(['deployments/web', '--columns=', ...argv], events, [end()], TERMINAL)).stderr;

  test.each([
    [['--since=10m'], 'no records in the last 10 minutes of 3 containers'],
    [['--since=1h'], 'no records in the last hour of 3 containers'],
    [['--since=36h'], 'no records in the last 36 hours of 3 containers'],
    [['--since=P2D'], 'no records in the last 2 days of 3 containers'],
    [['--since=90s'], 'no records in the last 90 seconds of 3 containers'],
    [['--since=2026-11-21T09:00:00Z'], 'no records since 2026-11-21T09:00:00.000000000Z of 3 containers'],
    [['--after=2026-11-21T09:00:00Z'], 'no records after 2026-11-21T09:00:00.000000000Z of 3 containers'],
    [['--until=2026-11-21T09:00:00Z'], 'no records until 2026-11-21T09:00:00.000000000Z of 3 containers'],
    [
      ['--since=2h', '--until=1h'],
      'no records between 2026-11-21T08:00:00.000000000Z and 2026-11-21T09:00:00.000000000Z of 3 containers',
    ],
    [['--all'], 'no records of 3 containers'],
    [['--all', '--level=error'], 'no records of 3 containers match'],
    [['--since=10m', '--grep=x', '--force'], 'no records in the last 10 minutes of 3 containers match'],
  ])('of %j reports what was read', async (argv, text) => {
    expect(await reported(...argv)).toBe(`${text}\n`);
  });

  test('names older files if a container has run so long that the node may have rotated its log', async () => {
    const startedAt = (time: string) => {
      const state = { kind: 'running', containerId: 'containerd://x', startedAt: at(time) } as const;
      return known(target('web-0', { state }));
    };
    const OLDER = /no records .*\nthe node may have older records in files that it rotated away: --rotated /;
    const stderrOf = async (argv: readonly string[], time: string) =>
      (await printed(['web', ...argv], startedAt(time), [end()], TERMINAL)).stderr;
    expect(await stderrOf([], '2026-11-21T09:00:00Z')).toMatch(OLDER);
    expect(await stderrOf([], '2026-11-21T09:55:00Z')).toBe('no records of shop/web-0/app\n');
    expect(await stderrOf(['--rotated=auto'], '2026-11-21T09:00:00Z')).toBe('no records of shop/web-0/app\n');
    expect(await stderrOf(['--quiet'], '2026-11-21T09:00:00Z')).toBe('');
  });

  test('counts no pod that was deleted before it was read', async () => {
    const left: Frame = {
      type: 'source',
      target: target('web-0'),
      state: 'left',
      why: 'deleted',
    };
    const { stderr } = await printed(['deployments/web', '--columns='], events, [left, end()], TERMINAL);
    expect(stderr).toBe('no records of 2 containers\n');
  });

  test('appears on a terminal, even if records go to a file', async () => {
    const written: string[] = [];
    const write = async (text: string | Uint8Array) => void written.push(String(text));
    const overrides = { stderr: { isTTY: true, columns: 80, write } };
    await printed(['web'], known(target('web-0')), [end()], { overrides });
    expect(written.join('')).toBe('no records of shop/web-0/app\n');
  });

  test.each([{}, TERMINAL])(
    'with --fail-empty ends with 1 and leaves standard output empty: %j',
    async (options) => {
      const { code, stdout, stderr } = await printed(
        ['web', '--since=10m', '--fail-empty'],
        events,
        [end()],
        options,
      );
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toBe(
        'error: no records in the last 10 minutes of 3 containers\n' +
          '  why: --fail-empty makes an empty result a failure\n' +
          '  next: widen the time window\n',
      );
    },
  );

  test('with --fail-empty is no failure once there was a record, nor without the flag', async () => {
    const frames = [line(target('web-0')), end()];
    const { code, stdout } = await printed(['web', '--fail-empty'], events, frames);
    expect([code, stdout.split('\n').length]).toEqual([0, 3]);
    expect((await printed(['web'], events, [end()])).code).toBe(0);
  });

  test('with --fail-empty of a followed view counts at its end', async () => {
    const argv = ['web', '-f', '--fail-empty'];
    expect(await printed(argv, events, [end({ live: true })])).toMatchObject({ code: 1, stdout: '' });
    const late = [end({ live: true }), line(target('web-0'))];
    expect(await printed(argv, events, late)).toMatchObject({ code: 0 });
  });
});
