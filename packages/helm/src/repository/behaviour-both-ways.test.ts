import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { describe, expect, it } from 'vitest';
import { HELM_VERSIONS, type HelmVersion, helm } from '../../../../test/support/oracles/helm.ts';
import { selfSigned } from '../../../../test/support/tls-server/certificates.ts';
import { type Home, makeHome } from '../../test/support/home.ts';
import { guarded, repositoryFiles, startRepository } from '../../test/support/repository-server.ts';

const VERSIONS = [
  '0.1.0',
  '0.2.0',
  '0.10.0',
  '1.0.0-rc.1',
  '1.0.0-rc.2',
  '1.1.0+build.5',
  '2.0.0-alpha',
  'v0.3',
];
const RANGES =
  '0.1.0|~0.1|>=0.2|^0|<1|1.0.0-rc.1|>0.0.0-0|v0.3|0.3|0.3.0|1.1.0|>5|0.x|1.1.0+build.5|3|x y'.split('|');
const FILES = repositoryFiles('logtool', VERSIONS);

async function ask(version: HelmVersion, home: Home, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await helm(version, args, { home: home.path });
  if (exitCode !== 0) throw new Error(stderr);
  return stdout.toString();
}

const search = async (version: HelmVersion, home: Home) =>
  JSON.parse(await ask(version, home, 'search', 'repo', '--versions', '--devel', '-o', 'json')) as {
    readonly name: string;
    readonly version: string;
  }[];

describe.each(HELM_VERSIONS)('helm %s', (version) => {
  it('sees, searches, shows, updates and removes what logtool added', async () => {
    await using server = await startRepository(FILES);
    await using home = await makeHome();
    await home.repositories.add({ name: 'logtool', url: server.url });
    expect(JSON.parse(await ask(version, home, 'repo', 'list', '-o', 'json'))).toEqual([
      { name: 'logtool', url: server.url },
    ]);
    const found = await search(version, home);
    expect(found).toHaveLength(VERSIONS.length);
    expect(found[0]).toMatchObject({ name: 'logtool/logtool', version: '2.0.0-alpha' });
    expect(await ask(version, home, 'show', 'chart', 'logtool/logtool')).toContain('version: 1.1.0+build.5');
    await ask(version, home, 'repo', 'update', 'logtool');
    await ask(version, home, 'repo', 'remove', 'logtool');
    expect(await home.repositories.list()).toEqual([]);
    await expect(home.repositories.find('logtool', 'logtool')).rejects.toBeInstanceOf(CodedError);
  });

  it('helm uses the credentials and the authority that logtool wrote, and vice versa', async () => {
    const certificate = selfSigned();
    const secret = Object.fromEntries(Object.entries(FILES).map(([path, file]) => [path, guarded(file)]));
    await using server = await startRepository(secret, certificate);
    await using home = await makeHome();
    const caFile = join(home.path, 'ca.pem');
    await writeFile(caFile, certificate.cert);
    const login = { username: 'ada', password: 's3cret' };
    await home.repositories.add({ name: 'logtool', url: server.url, ...login, caFile });
    await ask(version, home, 'repo', 'update');
    expect(await ask(version, home, 'show', 'chart', 'logtool/logtool')).toContain('version: 1.1.0+build.5');
    const flags = ['--username', 'ada', '--password', 's3cret'];
    await ask(version, home, 'repo', 'add', 'a', server.url, ...flags, '--ca-file', caFile);
    await ask(version, home, 'repo', 'add', 'b', server.url, ...flags, '--insecure-skip-tls-verify');
    await home.repositories.update();
    for (const name of ['a', 'b']) {
      const chart = await home.repositories.find(name, 'logtool');
      expect(await home.repositories.download(chart)).toEqual(
        Buffer.from(FILES['/logtool-1.1.0+build.5.tgz'] as Uint8Array),
      );
    }
  });

  it('writes the same file as logtool, byte for byte', async () => {
    await using server = await startRepository(FILES);
    await using theirs = await makeHome();
    await using ours = await makeHome();
    const steps: readonly [string, readonly string[]][] = [
      ['one', []],
      ['two', ['--username', '0123', '--password', 'yes: "no"']],
      ['one', ['--username', 'null', '--password', 'é\t#', '--force-update']],
    ];
    for (const [name, flags] of steps) {
      await ask(version, theirs, 'repo', 'add', name, server.url, ...flags);
      const [, username, , password] = flags;
      await ours.repositories.add({ name, url: server.url, username, password, force: true });
      expect(await readFile(ours.config, 'utf8')).toBe(await readFile(theirs.config, 'utf8'));
    }
    for (const name of ['one', 'two']) {
      await ask(version, theirs, 'repo', 'remove', name);
      await ours.repositories.remove(name);
      expect(await readFile(ours.config, 'utf8')).toBe(await readFile(theirs.config, 'utf8'));
    }
  });

  it('takes the version of a range that logtool takes', async () => {
    await using server = await startRepository(FILES);
    await using home = await makeHome();
    await ask(version, home, 'repo', 'add', 'logtool', server.url);
    // Helm 3.17.2 has an older library with other rules for pre-releases.
    const ranges = version === '4.1.4' ? [...RANGES, '>=1.0.0-rc.1 <1.1', '<0.1 || >=1.0.0-rc.1 <1'] : RANGES;
    for (const range of ranges) {
      const show = ['show', 'chart', 'logtool/logtool', '--version', range];
      const theirs = await ask(version, home, ...show).then(
        (text) => /^version: (.*)$/m.exec(text)?.[1],
        () => 'refused',
      );
      const ours = await home.repositories.find('logtool', 'logtool', range).then(
        ({ metadata }) => metadata.version,
        () => 'refused',
      );
      expect({ range, version: ours }).toEqual({ range, version: theirs });
    }
  });

  it('takes and refuses the indexes that logtool takes and refuses', async () => {
    await using server = await startRepository({});
    await using home = await makeHome();
    const differing: unknown[] = [];
    // Helm 3.17.2 crashes on null entries.
    const indexes = version === '4.1.4' ? [...INDEXES, ...WITH_NULLS] : INDEXES;
    for (const [index, text] of indexes.entries()) {
      const repository = { name: `r${index}`, url: server.url };
      server.files.set('/index.yaml', text);
      const charts = await chartsOfHelm(version, home, repository);
      const theirs = charts !== undefined;
      const ours = await isTaken(home.repositories.add(repository));
      if (ours !== theirs) differing.push({ text, ours, theirs });
      await expectFound(home, repository.name, charts ?? []);
      if (!ours) continue;
      expect(await search(version, home)).toEqual(charts ?? []);
      await home.repositories.remove(repository.name);
    }
    expect(differing).toEqual([]);
  });
});

const isTaken = (adding: Promise<unknown>) =>
  adding.then(
    () => true,
    () => false,
  );

/** Returns the charts that helm finds in a repository, which it adds and removes; undefined if it refuses its index. */
async function chartsOfHelm(
  version: HelmVersion,
  home: Home,
  repository: Readonly<Record<'name' | 'url', string>>,
) {
  const { name, url } = repository;
  if (!(await isTaken(ask(version, home, 'repo', 'add', name, url)))) return undefined;
  const charts = await search(version, home);
  await ask(version, home, 'repo', 'remove', name);
  return charts;
}

async function expectFound(home: Home, repository: string, charts: Awaited<ReturnType<typeof search>>) {
  for (const chart of charts) {
    const [, chartName = ''] = chart.name.split('/');
    expect(await home.repositories.find(repository, chartName, chart.version)).toMatchObject({
      metadata: { version: chart.version },
    });
  }
}

const entry = (fields: string) => `apiVersion: v1\nentries:\n  web:\n  - {${fields}}\n`;
const SOUND = 'name: web, version: 1.0.0, urls: [web-1.0.0.tgz]';

const INDEXES: readonly string[] = [
  entry(SOUND),
  entry(`${SOUND}}\n  - {name: web, version: not-one`),
  entry('version: 1.0.0, urls: [a]'),
  entry('name: web, urls: [a]'),
  entry('name: ../web, version: 1.0.0'),
  entry(`${SOUND}, type: other`),
  entry(`${SOUND}, appVersion: 1.10, version: 1`),
  entry('name: web, version: 2'),
  entry('name: web, version: "2", appVersion: 1.10'),
  entry('name: web, version: "2", maintainers: [{name: 1}]'),
  entry('name: web, version: "2", annotations: {a: 1}'),
  entry('name: web, version: "2", keywords: [1]'),
  entry('name: web, version: "2", digest: 5'),
  entry('name: web, version: "2", urls: [5]'),
  entry('name: web, version: "2", checksum: true'),
  entry('name: web, version: "2", created: 5'),
  entry(SOUND).replace('v1', '1'),
  `${entry(SOUND)}publicKeys: [1]\n`,
  `${entry(SOUND)}annotations: {a: 1}\n`,
  entry(`${SOUND}, unheardOf: 1`),
  entry(`${SOUND}, created: yesterday`),
  entry(`${SOUND}, created: 2026-11-21T10:00:00+02:00, checksum: a, engine: b, tillerVersion: c, url: d`),
  entry(`${SOUND}, urls: none`),
  entry(`${SOUND}, dependencies: [{name: a}, {name: a}]`),
  entry(`${SOUND}, dependencies: [null]`),
  `${entry(SOUND)}  other: null\n  third: []\n`,
  `${entry(SOUND)}generated: 1\n`,
  `${entry(SOUND)}generated: 2026-11-21T10:00:00.5Z\nserverInfo: {a: {b: c}}\npublicKeys: [a]\nannotations: {a: b}\n`,
  'entries: {}\n',
  'apiVersion: v1\n',
  'apiVersion: v1\nentries: []\n',
  'apiVersion: v1\nextra: 1\n',
  '',
  '# nothing\n',
  '<html></html>\n',
  '- a\n',
  'apiVersion: v1\nentries: {__proto__: [{name: a, version: 1.0.0}]}\n',
  '{"apiVersion":"v1","extra":1,"entries":{"web":[{"name":"web","version":"1.0.0","unheardOf":2,"urls":["a"]}]}}',
  '{"apiVersion":"v1","entries":{"web":[{"name":"web","version":1}]}}',
  '{"apiVersion":"v1","entries":{"web":[]}',
];

const WITH_NULLS: readonly string[] = [
  `${entry(SOUND)}  - null\n`,
  '{"apiVersion":"v1","entries":{"web":[{"name":"web","version":"1.0.0"},null]}}',
];

it('keeps unknown fields of repositories.yaml', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'other', url: server.url });
  const text = await readFile(home.config, 'utf8');
  await writeFile(
    home.config,
    `${text.replace('  name: other\n', '  name: other\n  teams: [a, {b: 1}]\n')}vendor: {x: 1.5, z: "0777"}\n`,
  );
  await home.repositories.add({ name: 'logtool', url: server.url });
  await home.repositories.add({ name: 'other', url: server.url, username: 'u', force: true });
  await home.repositories.remove('logtool');
  const after = await readFile(home.config, 'utf8');
  expect(after).toContain('  teams:\n  - a\n  - b: 1\n');
  expect(after).toContain('vendor:\n  x: 1.5\n  z: "0777"\n');
});
