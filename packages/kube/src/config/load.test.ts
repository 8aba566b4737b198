import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kubeFailed } from '../../../../test/support/coded.ts';
import { folder } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { kubectl } from '../../../../test/support/oracles/kubectl.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { loadKubeconfig } from './load.ts';
import { locateKubeconfigs } from './locate.ts';
import { selectContext } from './select.ts';

async function fileOf(text: string | Uint8Array, name = 'config'): Promise<string> {
  const path = join(await folder(), name);
  await writeFile(path, text);
  return path;
}

function load(...files: string[]): Promise<Kubeconfig> {
  return loadKubeconfig({ files, from: 'explicit' });
}

/** Returns names and fields in kubectl's form, to compare the two. */
function asKubectlShows(config: Kubeconfig) {
  const list = (map: Kubeconfig['users'], field: string) =>
    [...map.values()]
      .map((entry) => ({ name: entry.name, [field]: entry.fields }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    current: config.currentContext,
    clusters: list(config.clusters, 'cluster'),
    users: list(config.users, 'user'),
    contexts: list(config.contexts, 'context'),
  };
}

async function kubectlShows(files: readonly string[]) {
  const home = await folder();
  const result = await kubectl(['config', 'view', '--raw', '-o', 'json'], {
    kubeconfig: files.join(':'),
    home,
  });
  if (result.exitCode !== 0) return result.stderr;
  const seen = JSON.parse(result.stdout.toString('utf8'));
  return {
    current: seen['current-context'] ?? '',
    clusters: seen.clusters ?? [],
    users: seen.users ?? [],
    contexts: seen.contexts ?? [],
  };
}

const FIRST = `
apiVersion: v1
kind: Config
clusters:
- {name: shared, cluster: {server: "https://first"}}
- {name: a, cluster: {server: "https://a", tls-server-name: x}}
contexts:
- name: both
  context: {cluster: shared, user: u1}
users:
- {name: u1, user: {token: one}}
`;
const SECOND = `
current-context: second
clusters:
- {name: shared, cluster: {server: "https://second", insecure-skip-tls-verify: true}}
contexts:
- {name: both, context: {cluster: other, user: u2, namespace: nn}}
- {name: second, context: {cluster: shared, user: u2}}
users:
- {name: u1, user: {username: xx, password: yy}}
- {name: u2, user: {token: two}}
`;
const THIRD = 'current-context: third\npreferences: {}\nclusters: null\n';

test.each([
  ['two files', [FIRST, SECOND]],
  ['the other way round', [SECOND, FIRST]],
  ['three files', [FIRST, THIRD, SECOND]],
  ['an empty file between', [FIRST, '', SECOND]],
  [
    'anchors, merge keys and doubled keys',
    [
      'x-base: &b {server: "https://m"}\nclusters:\n- name: m\n  cluster: {<<: *b, tls-server-name: inner, tls-server-name: last}\n',
      FIRST,
    ],
  ],
  ['JSON beside YAML', [JSON.stringify({ users: [{ name: 'u1', user: { token: 'json' } }] }), FIRST]],
])('merges as kubectl does: %s', async (_, texts) => {
  const files = await Promise.all(texts.map((text) => fileOf(text)));
  expect(asKubectlShows(await load(...files))).toEqual(await kubectlShows(files));
});

test('a listed file that is absent is passed over, as kubectl does', async () => {
  const files = [join(await folder(), 'absent'), await fileOf(FIRST)];
  expect(asKubectlShows(await load(...files))).toEqual(await kubectlShows(files));
});

test.each([
  ['a list of the wrong kind', 'users: {a: 1}', 1],
  ['a token that is a number', 'apiVersion: v1\nusers:\n- name: 12\n', 3],
  ['doubled names', 'users:\n- name: a\n  user: {}\n- name: a\n  user: {}\n', 4],
  ['another kind', 'kind: Pod\napiVersion: v1\n', 1],
  ['another version', 'apiVersion: v2\nkind: Config\n', 1],
  ['broken YAML', 'a: 1\nb: [\n', 3],
  ['a tab', 'a:\n\tb: 1\n', 2],
  ['broken JSON', '{"users": [\n}', 2],
  ['a text', 'hello', undefined],
  ['bytes that are no UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0x62, 0x0a, 0x63, 0x3a, 0xff]), 2],
])('%s is kubeconfig-invalid, with its line', async (_, text, line) => {
  const file = await fileOf(text);
  await expect(load(file)).rejects.toMatchObject({ code: 'kubeconfig-invalid', data: { file, line } });
});

test('reports a wrong field of the chosen context with its line, and ignores one in another context', async () => {
  const file = await fileOf(
    'current-context: good\ncontexts:\n- name: good\n  context: {cluster: c}\n- name: bad\n  context:\n    cluster: [x]\nclusters:\n- name: c\n  cluster: {server: s}\n',
  );
  const config = await load(file);
  expect((await selectContext(config, undefined)).context).toBe('good');
  await expect(selectContext(config, 'bad')).rejects.toMatchObject({
    code: 'kubeconfig-invalid',
    data: {
      file,
      line: 7,
      why: {
        code: 'bad-field',
        data: {
          path: 'contexts[1].context.cluster',
          fault: { problem: 'type', expected: 'text', found: 'list' },
        },
      },
    },
  });
});

test('a directory, and a file too large, are kubeconfig-unreadable', async () => {
  const directory = await folder();
  await expect(load(directory)).rejects.toMatchObject({ code: 'kubeconfig-unreadable' });
  const huge = await fileOf(Buffer.alloc(10 * 1024 * 1024 + 1, 0x20));
  await expect(load(huge)).rejects.toMatchObject({ code: 'kubeconfig-unreadable' });
  await expect(load('/dev/zero')).rejects.toMatchObject({ code: 'kubeconfig-unreadable' });
});

test('a link is followed, and no file at all is kubeconfig-not-found', async () => {
  const file = await fileOf(FIRST);
  await symlink(file, `${file}.link`);
  expect((await load(`${file}.link`)).users.size).toBe(1);
  await expect(load(`${file}.absent`)).rejects.toMatchObject({ code: 'kubeconfig-not-found' });
});

test('a UTF-8 mark at the start and UTF-16 of PowerShell are read', async () => {
  expect((await load(await fileOf(`\uFEFF${FIRST}`))).users.size).toBe(1);
  expect((await load(await fileOf(Buffer.from(`\uFEFF${FIRST}`, 'utf16le')))).users.size).toBe(1);
});

test('aliases that unfold without end are an error, not a full memory', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(',')}]`,
  );
  const bomb = await fileOf(`l0: &l0 [1]\n${levels.join('\n')}\n`);
  await expect(load(bomb)).rejects.toMatchObject({ code: 'kubeconfig-invalid' });
  await expect(load(await fileOf('a: &a {b: *a}'))).rejects.toMatchObject({ code: 'kubeconfig-invalid' });
});

describe('long files', () => {
  const DATA = Buffer.alloc(1500, 7).toString('base64');
  /** A typical file: certificates in base64, a plugin for each user. */
  const clusters = (count: number) => {
    const each = (entry: (n: number) => string) => Array.from({ length: count }, (_, n) => entry(n)).join('');
    return [
      `current-context: c0\nclusters:\n${each((n) => `- name: c${n}\n  cluster:\n    certificate-authority-data: ${DATA}\n    server: "https://c${n}.example.com:6443"\n`)}`,
      `contexts:\n${each((n) => `- name: c${n}\n  context:\n    cluster: c${n}\n    namespace: shop\n    user: c${n}\n`)}`,
      `users:\n${each((n) => `- name: c${n}\n  user:\n    exec:\n      apiVersion: client.authentication.k8s.io/v1\n      command: aws\n      args:\n      - --region\n      - eu-west-1\n      - eks\n      - get-token\n      - --cluster-name\n      - c${n}\n      interactiveMode: Never\n      provideClusterInfo: false\n`)}`,
    ].join('');
  };

  test('3,000 clusters are read', async () => {
    expect((await load(await fileOf(clusters(3000)))).users.size).toBe(3000);
  });

  test('3,000 clusters with names as long as those of EKS are read', async () => {
    const text = clusters(3000).replaceAll(
      /\b(name|cluster|user): (?=c\d)/g,
      '$&arn:aws:eks:eu-west-1:012345678901:cluster/shop-prod-',
    );
    expect((await load(await fileOf(text))).contexts.size).toBe(3000);
  });

  test('reports a mistake among hundreds with its line', async () => {
    const text = clusters(500).replace('command: aws', 'command: [aws]');
    const config = await load(await fileOf(text.replace('contexts:\n', 'contexts:\n- 1\n'))).catch(
      (error) => error,
    );
    const line = text.split('\n').indexOf('contexts:') + 2;
    expect(config).toMatchObject({
      code: 'kubeconfig-invalid',
      data: { line },
    });
  });

  test.each([
    ['items', `x: [${'1,'.repeat(300_000)}1]\n`],
    ['keys', `x:\n${Array.from({ length: 150_000 }, (_, n) => ` k${n}: 1\n`).join('')}`],
    ['lists in lists', `x:\n${`${' - '.repeat(50)}\n`.repeat(6000)}`],
    ['empty lines', '\n'.repeat(300_000)],
    ['documents', '---\n'.repeat(80_000)],
    ['tags', `x: [${'! a,'.repeat(150_000)}1]\n`],
    ['items without blanks', `x: [${'a:b-c,'.repeat(300_000)}1]\n`],
    ['JSON', JSON.stringify(Array(300_000).fill(1)).replace(/^.*$/, '{"x":$&}')],
  ])('%s without number are refused before a parser takes its time for them', async (_, text) => {
    await expect(
      load(await fileOf(`current-context: a\n${text}`.replace(/^.*\n\{/, '{'))),
    ).rejects.toMatchObject({
      code: 'kubeconfig-invalid',
      data: { why: { code: 'too-many-marks', data: {} } },
    });
  });
});

test.each(['__proto__', 'constructor', 'toString'])('%s is a name like any other', async (name) => {
  for (const yaml of [true, false]) {
    const text = `{"contexts":[{"name":"${name}","context":{"cluster":"${name}"}}],"clusters":[{"name":"${name}","cluster":{"__proto__":{"server":"x"}}}]}`;
    const config = await load(await fileOf(yaml ? `# yaml\n${text}` : text));
    const selected = await selectContext(config, name);
    expect(selected.cluster.name).toBe(name);
    expect(Object.hasOwn({}, 'server') || 'server' in {}).toBe(false);
  }
  const empty = await load(await fileOf(FIRST));
  await expect(selectContext(empty, name)).rejects.toMatchObject({ code: 'unknown-context' });
});

test('an unknown context lists those that exist and the near one', async () => {
  const file = await fileOf(SECOND);
  const config = await load(file);
  const unknown = (context: string, near: string | undefined) =>
    kubeFailed(
      'unknown-context',
      {
        context,
        files: [file],
        isCurrent: false,
        contexts: { names: ['both', 'second'], more: 0 },
        near,
      },
      'usage',
    );
  await expect(selectContext(config, 'secnd')).rejects.toEqual(unknown('secnd', 'second'));
  await expect(selectContext(config, 'zzz')).rejects.toEqual(unknown('zzz', undefined));
});

test('no context, and a context whose cluster or user is absent, have errors of their own', async () => {
  const config = await load(await fileOf(FIRST));
  await expect(selectContext(config, undefined)).rejects.toMatchObject({ code: 'no-current-context' });
  const second = await load(await fileOf(SECOND));
  await expect(selectContext(second, 'both')).rejects.toMatchObject({ code: 'missing-cluster' });
  const third = await load(
    await fileOf('contexts:\n- {name: x, context: {cluster: c, user: u}}\nclusters: [{name: c}]'),
  );
  await expect(selectContext(third, 'x')).rejects.toMatchObject({ code: 'missing-user' });
});

test('the explicit file wins over KUBECONFIG, KUBECONFIG over the home directory', () => {
  const env = { KUBECONFIG: '/a:/b::/a' };
  const homeDirectory = '/home/ann';
  const locate = (explicit?: string, more: Record<string, string> = env, listSeparator = ':') =>
    locateKubeconfigs({ explicit, env: more, homeDirectory, listSeparator }).files;
  expect(locate('/x')).toEqual(['/x']);
  expect(locate('~/x')).toEqual(['/home/ann/x']);
  expect(locate()).toEqual(['/a', '/b']);
  expect(locate('')).toEqual(['/a', '/b']);
  expect(locate(undefined, { KUBECONFIG: 'C:\\a;D:\\b' }, ';')).toEqual(['C:\\a', 'D:\\b']);
  expect(locate(undefined, {})).toEqual(['/home/ann/.kube/config']);
});

test('unknown fields are kept', async () => {
  const config = await load(
    await fileOf('clusters:\n- name: c\n  cluster: {server: s, new-field: {deep: [1]}}\n'),
  );
  expect(config.clusters.get('c')?.fields['new-field']).toEqual({ deep: [1] });
});

test('the line is found in a file of very many keys, too', async () => {
  const keys = Array.from({ length: 100_000 }, (_, at) => ` k${at}: 1\n`).join('');
  const file = await fileOf(`kind: Config\nx:\n${keys}current-context: 5\n`);
  await expect(load(file)).rejects.toMatchObject({
    code: 'kubeconfig-invalid',
    data: { file, line: 100_003 },
  });
});
