import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Home, makeHome } from '@logtool/helm/test/support/home.ts';
import { guarded, repositoryFiles, startRepository } from '@logtool/helm/test/support/repository-server.ts';
import { expect, it } from 'vitest';
import { capture } from '../../../../../../../test/support/cli/capture.ts';
import { helm } from '../../../../../../../test/support/oracles/helm.ts';
import { selfSigned } from '../../../../../../../test/support/tls-server/certificates.ts';
import { run } from '../../../run.ts';

const FILES = repositoryFiles('logtool', ['0.1.0', '0.2.0']);

async function logtool(home: Home, command: string, env: Readonly<Record<string, string>> = {}) {
  const world = capture(command.split(' '), { home: home.path, env });
  const code = await run(world.context);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

const done = (stdout: string) => ({ code: 0, stdout, stderr: '' });

it('adds, updates and removes the repository that the user names, and helm sees it', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const { url } = server;
  expect(await logtool(home, `cluster repo add ${url}`)).toEqual(
    done(`added the repository logtool: ${url}/\n`),
  );
  const listed = await helm('4.1.4', ['repo', 'list', '-o', 'json'], { home: home.path });
  expect(JSON.parse(listed.stdout.toString())).toEqual([{ name: 'logtool', url }]);
  expect(await logtool(home, `cluster repo add ${url}`)).toEqual(
    done(`the repository logtool already exists: ${url}/\n`),
  );
  server.files.set('/index.yaml', String(FILES['/index.yaml']).replace('version: 0.2.0', 'version: 0.3.0'));
  expect(await logtool(home, 'cluster repo update')).toEqual(
    done(`updated the repository logtool: ${url}/\nnewest chart: logtool 0.3.0\n`),
  );
  expect(await logtool(home, 'cluster repo remove')).toEqual(done('removed the repository logtool\n'));
  expect(await logtool(home, 'cluster repo remove')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('next: add it: logtool cluster repo add URL'),
  });
});

it('takes the address from the command, else the environment, else the configuration file', async () => {
  await using server = await startRepository({
    '/a/index.yaml': FILES['/index.yaml'] ?? '',
    '/b/index.yaml': FILES['/index.yaml'] ?? '',
    '/c/index.yaml': FILES['/index.yaml'] ?? '',
  });
  await using home = await makeHome();
  const config = join(home.path, 'config.yaml');
  await writeFile(config, `version: 1\ncluster:\n  repo-url: ${server.url}/c\n`);
  const env = { LOGTOOL_CONFIG: config };
  const both = { ...env, LOGTOOL_CHART_REPO: `${server.url}/b` };
  await logtool(home, 'cluster repo add', env);
  await logtool(home, 'cluster repo add --force-update', both);
  await logtool(home, `cluster repo add ${server.url}/a --force-update`, both);
  expect(server.seen.map(({ path }) => path)).toEqual(['/c/index.yaml', '/b/index.yaml', '/a/index.yaml']);
});

it("adds logtool's own repository without an address, and shows which one that is", async () => {
  await using home = await makeHome();
  // The proxy does not exist: no test uses the network.
  const { code, stderr } = await logtool(home, 'cluster repo add', { HTTPS_PROXY: 'http://127.0.0.1:1' });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'cannot download the index of the repository logtool from https://logtool.github.io/logtool/index.yaml\n',
  );
  expect(stderr).toContain(
    '; logtool cluster install works without the repository, from the bundled chart\n',
  );
  expect((await logtool(home, 'cluster repo add --help')).stdout).toContain(
    'https://logtool.github.io/logtool',
  );
});

it.each([
  ['a web page', '<html>sign in</html>', /sign in with a browser first; logtool cluster install works/],
  ['nothing', undefined, /next: check the address of the repository; logtool cluster install works/],
  [
    'a broken index',
    'apiVersion: v1\nentries: 7\n',
    /next: check that the address is .* the maintainer of the repository\n/,
  ],
])('reports that install works without a repository only where install does: %s', async (_, index, next) => {
  await using server = await startRepository(index === undefined ? {} : { '/index.yaml': index });
  await using home = await makeHome();
  const env = { LOGTOOL_CHART_REPO: server.url };
  expect(await logtool(home, 'cluster repo add', env)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(next),
  });
  // A user who names a repository wants that one.
  const named = await logtool(home, `cluster repo add ${server.url}`);
  expect(named.stderr).not.toContain('works without');
});

it('does not report that install works without a repository where another one is known', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await logtool(home, `cluster repo add ${server.url}`);
  const env = { LOGTOOL_CHART_REPO: `${server.url}/none` };
  const { code, stderr } = await logtool(home, 'cluster repo add --force-update', env);
  expect([code, stderr]).toEqual([1, expect.stringContaining('next: check the address of the repository\n')]);
});

it('changes nothing with --dry-run, and says what it would do', async () => {
  await using server = await startRepository({ ...FILES, '/b/index.yaml': FILES['/index.yaml'] ?? '' });
  await using home = await makeHome();
  const { url } = server;
  const files = async () =>
    Promise.all(
      (await readdir(home.path, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), 'utf8')]),
    );
  expect(await logtool(home, `cluster repo add ${url} --dry-run`)).toEqual(
    done(`would add the repository logtool: ${url}/\n`),
  );
  expect(await files()).toEqual([]);
  expect(await logtool(home, 'cluster repo remove --dry-run')).toMatchObject({ code: 1 });
  await logtool(home, `cluster repo add ${url}`);
  const before = await files();
  server.files.set('/index.yaml', String(FILES['/index.yaml']).replace('version: 0.2.0', 'version: 0.3.0'));
  expect(await logtool(home, `cluster repo add ${url}/b --force-update --dry-run`)).toEqual(
    done(`would replace the repository logtool: ${url}/b\n`),
  );
  expect(await logtool(home, 'cluster repo update --dry-run')).toEqual(
    done(`would update the repository logtool: ${url}/\nnewest chart: logtool 0.3.0\n`),
  );
  expect(await logtool(home, 'cluster repo remove --dry-run')).toEqual(
    done('would remove the repository logtool\n'),
  );
  expect(await files()).toEqual(before);
});

it('wants --force-update to replace another repository', async () => {
  await using server = await startRepository({ ...FILES, '/b/index.yaml': FILES['/index.yaml'] ?? '' });
  await using home = await makeHome();
  await logtool(home, `cluster repo add ${server.url}`);
  const refused = await logtool(home, `cluster repo add ${server.url}/b`);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('next: give --force-update') });
  expect(await logtool(home, `cluster repo add ${server.url}/b --force-update`)).toEqual(
    done(`replaced the repository logtool: ${server.url}/b\n`),
  );
});

it('takes user, password and authority', async () => {
  const certificate = selfSigned();
  await using server = await startRepository(
    { '/index.yaml': guarded(String(FILES['/index.yaml'])) },
    certificate,
  );
  await using home = await makeHome();
  await writeFile(join(home.path, 'ca.pem'), certificate.cert);
  const add = `cluster repo add ${server.url} --username ada --password s3cret`;
  expect(await logtool(home, add)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--ca-file FILE'),
  });
  expect((await logtool(home, `${add} --ca-file ${join(home.path, 'ca.pem')}`)).code).toBe(0);
  expect(await readFile(home.config, 'utf8')).toContain(`caFile: ${join(home.path, 'ca.pem')}`);
  expect((await logtool(home, `${add} --insecure-skip-tls-verify --force-update`)).code).toBe(0);
});

/** Runs something with this standard input. */
async function withInput<T>(input: Iterable<Buffer>, work: () => Promise<T>): Promise<T> {
  const own = process.stdin;
  Object.defineProperty(process, 'stdin', { value: Readable.from(input), configurable: true });
  try {
    return await work();
  } finally {
    Object.defineProperty(process, 'stdin', { value: own, configurable: true });
  }
}

it('reads the password from standard input, without its line break', async () => {
  await using server = await startRepository({ '/index.yaml': guarded(String(FILES['/index.yaml'])) });
  await using home = await makeHome();
  const add = `cluster repo add ${server.url} --username ada --password-stdin`;
  const added = await withInput([Buffer.from('s3c'), Buffer.from('ret\r\n')], () => logtool(home, add));
  expect(added.code).toBe(0);
  expect(await readFile(home.config, 'utf8')).toContain('password: s3cret\n');
});

it('says that a password is too long which has no end', async () => {
  await using home = await makeHome();
  const endless = function* () {
    for (;;) yield Buffer.alloc(65_536, 'x');
  };
  const add = 'cluster repo add https://127.0.0.1:9/ --username ada --password-stdin';
  const { code, stderr } = await withInput(endless(), () => logtool(home, add));
  expect(code).toBe(2);
  expect(stderr).toContain('cannot read the password from standard input\n  why: it is larger than 1 MiB');
});

it('says which entries of the index are left out, and of many only how many', async () => {
  const broken = '  - {name: logtool, version: x}\n'.repeat(7);
  await using server = await startRepository({ '/index.yaml': `${FILES['/index.yaml']}${broken}` });
  await using home = await makeHome();
  const { stderr } = await logtool(home, `cluster repo add ${server.url}`);
  expect(stderr.split('\n')).toHaveLength(7);
  expect(stderr).toContain(
    'logtool ignores chart "logtool" "x": validation: chart.metadata.version "x" is invalid',
  );
  expect(stderr).toContain('logtool leaves out 2 more notices\n');
});

it('says that the repository has no chart of logtool', async () => {
  await using server = await startRepository(repositoryFiles('other', ['1.0.0']));
  await using home = await makeHome();
  await logtool(home, `cluster repo add ${server.url}`);
  expect((await logtool(home, 'cluster repo update')).stdout).toMatch(/has no chart "logtool"\n$/);
});
