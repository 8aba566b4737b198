import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, planOf } from '../../../../../../test/support/cli/plan-of.ts';
import { rejectingWithMessage } from '../../../../../../test/support/with-message.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-plan-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function configOf(text: string): Promise<string> {
  const path = join(folder, `${Math.random()}.yaml`);
  await writeFile(path, text);
  return path;
}

describe('precedence: flag, then environment, then file, then default', () => {
  test.each([
    [[], {}, 10],
    [['--config=FILE'], {}, 20],
    [[], { LOGTOOL_CONFIG: 'FILE' }, 20],
    [['--config=FILE'], { LOGTOOL_TAIL: '30' }, 30],
    [['--config=FILE', '--tail=40'], { LOGTOOL_TAIL: '30' }, 40],
    [['--config=FILE', '--tail'], { LOGTOOL_TAIL: '' }, 20],
  ])('%j %j: tail %d', async (argv, env, count) => {
    const file = await configOf('commands: {logs: {tail: 20}}');
    const plan = await planOf(['web', ...argv.map((each) => each.replace('FILE', file))], {
      env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value.replace('FILE', file)])),
    });
    expect(plan.engine.window.selection).toEqual({ kind: 'tail', count });
    expect(plan.countIsDefault).toBe(count === 10);
  });

  test('head of the file applies to --since and to a bare --head', async () => {
    const config = `--config=${await configOf('commands: {logs: {head: 7}}')}`;
    for (const flag of ['--since=PT1M', '--head']) {
      const { engine } = await planOf(['web', config, flag]);
      expect(engine.window.selection).toEqual({ kind: 'head', count: 7 });
    }
  });

  test('kubeconfig, context and columns come from the file', async () => {
    const text =
      'general: {kubeconfig: ~/k}\ncommands: {logs: {kube-context: blue, columns: [pod, timestamp]}}';
    const path = await configOf(text);
    const plan = await planOf(['web', `--config=${path}`]);
    expect(plan.connection).toEqual({
      kubeconfig: '/nowhere/home/k',
      context: 'blue',
      inCluster: false,
      flags: ` --config ${path}`,
      asFlags: '',
    });
    expect(plan.output.columns).toEqual(['pod', 'timestamp']);
  });

  test('rule 5.3: an empty --kube-context is the active context', async () => {
    const config = `--config=${await configOf('commands: {logs: {kube-context: blue}}')}`;
    const { connection } = await planOf(['web', config, '--kube-context=']);
    expect(connection.context).toBeUndefined();
  });

  test.each([
    [[], true],
    [['--kubeconfig=/k'], false],
    [['--kube-context=blue'], false],
    [['--kube-context='], true],
    [['--in-cluster=false'], false],
  ])('LOGTOOL_IN_CLUSTER with %j: %s', async (argv, inCluster) => {
    const { connection } = await planOf(['web', ...argv], { env: { LOGTOOL_IN_CLUSTER: '1' } });
    expect(connection.inCluster).toBe(inCluster);
  });

  test('reports a bad count of the environment with its variable', async () => {
    await expect(rejectingWithMessage(planOf(['web'], { env: { LOGTOOL_TAIL: 'x' } }))).rejects.toMatchObject(
      {
        next: 'write a whole number, such as LOGTOOL_TAIL=10',
      },
    );
  });

  test('a bad value of the environment is named by its variable', async () => {
    await expect(rejectingWithMessage(planOf(['web'], { env: { LOGTOOL_TAIL: 'x' } }))).rejects.toMatchObject(
      {
        code: 'count-not-integer',
        what: 'bad value of LOGTOOL_TAIL: x',
      },
    );
  });
});

describe('columns', () => {
  test('with an output that has none are an error where they are typed, not where they are configured', async () => {
    const config = `--config=${await configOf('commands: {logs: {columns: [pod]}}')}`;
    for (const output of ['--raw', '-ojson']) {
      for (const flag of ['--columns=pod', '--columns=', '--add-columns=pod', '--remove-columns=dot'])
        expect(await codeOf(['web', output, flag])).toBe('columns-without-effect');
      expect(await codeOf(['web', output, config])).toBe('no error');
      expect(await codeOf(['web', output], { env: { LOGTOOL_COLUMNS: 'pod' } })).toBe('no error');
    }
    expect(await codeOf(['web', '--raw=false', '-otext', '--columns=pod'])).toBe('no error');
  });

  const columns = async (...argv: string[]) => (await planOf(['web', ...argv])).output.columns.join(' ');
  test.each([
    [[], 'timestamp dot'],
    [['--columns=pod,TIMESTAMP'], 'pod timestamp'],
    [['--columns=pod', '--columns=node'], 'pod node'],
    [['--columns='], ''],
    [['--add-columns=pod,zone'], 'timestamp dot pod zone'],
    [['--remove-columns=dot'], 'timestamp'],
    [['--add-columns=pod', '--remove-columns=timestamp,dot'], 'pod'],
    [['--columns=pod,pod', '--add-columns=pod'], 'pod'],
  ])('%j: %s', async (argv, expected) => expect(await columns(...argv)).toBe(expected));

  test.each(['columns', 'add-columns', 'remove-columns'])('--%s refuses other names', async (flag) =>
    expect(await codeOf(['web', `--${flag}=timestamp,pods`])).toBe('unknown-column'),
  );
});

describe('other values', () => {
  test.each([
    [['--output=xml'], 'bad-choice'],
    [['--color=red'], 'bad-choice'],
    [['--level=errors'], 'bad-choice'],
    [['--level=__proto__'], 'bad-choice'],
    [['--timezone=Mars/Base'], 'bad-timezone'],
    [['--max-log-requests=0'], 'count-zero'],
    [['--max-log-requests=-1'], 'count-negative'],
    [['--search-limit=lots'], 'bad-size'],
    [['--follow=maybe'], 'bad-boolean'],
    [['--namespace='], 'empty-value'],
    [['--highlight=['], 'bad-pattern'],
    [['--exclude=*'], 'bad-pattern'],
    [['--exclude=(?:[a-z]{100}x){100}'], 'pattern-too-large'],
    [['--highlight=(a{1000}b){1000}'], 'pattern-too-large'],
    [
      ['--force', '--ignore-case', '--grep=a{999}', ...Array(11).fill('--exclude=b{999}')],
      'pattern-too-large',
    ],
    [['-A', '1'], 'context-needs-filter'],
    [['-C', '1', '--level', 'error', '--with-cursors'], 'exclusive-context'],
    [['-A1', '--level=error', '--after=2026-11-21T10:00:00Z~2'], 'exclusive-context'],
    [['-B1', '--level=error', '--before=2026-11-21T10:00:00Z~0'], 'exclusive-context'],
    [['--raw', '-o', 'json'], 'raw-with-json'],
    [['--in-cluster', '--kubeconfig=x'], 'in-cluster-with-kubeconfig'],
    [['--config=/nowhere/at/all.yaml'], 'config-not-found'],
    [['--namespace'], 'flag-needs-value'],
    [['--nonsense'], 'unknown-flag'],
  ])('%j: %s', async (argv, code) => expect(await codeOf(['web', ...argv])).toBe(code));

  test.each([
    ['0', 0],
    ['500', 500],
    ['64MiB', 2 ** 26],
    ['1g', 1e9],
    ['1.5KiB', 1536],
  ])('--search-limit=%s', async (text, bytes) =>
    expect((await planOf(['web', `--search-limit=${text}`])).engine.searchLimitBytes).toBe(bytes),
  );

  test('context of matches', async () => {
    const { engine } = await planOf(['web', '--level=err,WARN', '-C', '2', '-A5']);
    expect(engine.filter).toMatchObject({ levels: ['error', 'warn'], beforeContext: 2, afterContext: 5 });
    const range = ['--after=2026-11-21T10:00:00Z', '--before=2026-11-21T11:00:00Z'];
    const between = await planOf(['web', '--level=error', '-C1', ...range]);
    expect(between.engine.window).toMatchObject({ from: { kind: 'strict' }, to: { kind: 'strict' } });
  });

  test('grep and highlight are both marked', async () => {
    const { output } = await planOf(['web', '--force', '-g', 'a', '--highlight', 'b', '-i']);
    expect(output).toMatchObject({ highlight: '(?:a)|(?:b)', ignoreCase: true });
  });

  test('a plan of nothing but a source is complete', async () => {
    expect(await planOf(['web'])).toMatchObject({
      connection: {
        kubeconfig: undefined,
        context: undefined,
        inCluster: false,
        impersonate: undefined,
        bearer: undefined,
        requestTimeoutMs: undefined,
        flags: '',
        asFlags: '',
      },
      source: { sources: ['web'], allContainers: false },
      engine: { maxLogRequests: 100, searchLimitBytes: 2 ** 30, cursors: false, raw: false },
      output: { format: 'text', header: true, color: 'auto', timezone: 'utc', quiet: false },
    });
  });
});
