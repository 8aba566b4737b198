import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseDockerfile, type Stage } from '../../../scripts/image/parse-dockerfile.ts';
import { buildContext, copyContext } from './build-context.ts';
import { checkServeInCluster, printedBy, publicFolder, type StartImage } from './check-program.ts';
import { isolations, startContainer } from './isolated-root.ts';
import { type Built, replayDockerfile } from './replay-dockerfile.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** The build installs packages first: this limit only detects a hang. */
const HANG_MS = 600_000;
/** The image gets these from its base, the replay from this machine: node, and its libraries. */
const OF_THE_BASE = ['/usr', '/lib', '/lib64'];

let stages: readonly Stage[];
let context: readonly string[];
let folder: string;
beforeAll(async () => {
  stages = parseDockerfile(await readFile(join(ROOT, 'Dockerfile'), 'utf8'));
  context = await buildContext(ROOT);
  folder = await mkdtemp(join(tmpdir(), 'logtool-dockerfile-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the build context holds what the build reads, but no tests, documents or build results', () => {
  expect(context).toEqual(
    expect.arrayContaining(['package-lock.json', 'packages/logtool/src/cli/main.ts', 'bin/logtool.js']),
  );
  const folders = new Set(context.map((path) => path.split('/')[0]));
  for (const name of ['.ci', '.git', '.github', '.npmrc', 'bench', 'docs', 'test'])
    expect(folders).not.toContain(name);
  expect(context.filter((path) => path.endsWith('.test.ts'))).toEqual([]);
});

test('both bases of the image are of one version of Node, by tags that say which', () => {
  expect(stages.map(({ from }) => from)).toEqual([
    'node:22-bookworm-slim',
    'gcr.io/distroless/nodejs22-debian12:nonroot',
  ]);
});

// Its RUN instructions need a POSIX shell.
describe.skipIf(process.platform === 'win32')('what the Dockerfile makes of its build context', () => {
  let image: Built;
  let cluster: SimCluster;
  beforeAll(async () => {
    const sources = join(folder, 'context');
    await copyContext(ROOT, context, sources);
    const npm = Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name));
    [cluster, image] = await Promise.all([
      startSimCluster({ scenario: 'scenarios/permissions.yaml' }),
      replayDockerfile(stages, {
        context: sources,
        folder,
        buildArguments: { VERSION: '1.2.3' },
        env: {
          ...Object.fromEntries(npm.filter(([name]) => /registry|cache|proxy|cafile/i.test(name))),
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          // The same content from this machine's cache takes only a few seconds.
          npm_config_prefer_offline: 'true',
        },
      }),
    ]);
  }, HANG_MS);
  afterAll(() => cluster?.close());

  test('its labels, its user and its port are those of a published image', async () => {
    const { description, license } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect(image.settings.labels).toEqual({
      'org.opencontainers.image.title': 'logtool',
      'org.opencontainers.image.description': description,
      'org.opencontainers.image.licenses': license,
      'org.opencontainers.image.source': 'https://github.com/logtool/logtool',
      'org.opencontainers.image.version': '1.2.3',
    });
    expect([image.settings.user, image.settings.ports]).toEqual(['65532:65532', ['7500']]);
  });

  const [isolation] = isolations();
  if (isolation === undefined) {
    test.skip('its program: this machine allows no mounts of its own', () => {});
    return;
  }
  describe(`its program (${isolation})`, () => {
    const start: StartImage = async (args, { binds = [], env = {} } = {}) => {
      const temporary = await publicFolder(0o1777);
      await mkdir(join(image.root, 'nodejs/bin'), { recursive: true });
      const child = startContainer(isolation, {
        root: image.root,
        binds: [
          ...OF_THE_BASE.map((path) => ({ from: path, to: path })),
          { from: process.execPath, to: '/nodejs/bin/node' },
          { from: temporary, to: '/tmp' },
          ...binds,
        ],
        workdir: image.settings.workdir,
        env: { ...image.settings.env, ...env, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        command: [...image.settings.entrypoint, ...(args.length === 0 ? image.settings.command : args)],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };

    test('it prints its version, and its help without arguments', async () => {
      const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
      expect(await printedBy(await start(['--version']))).toEqual({
        stdout: `logtool ${version}\n`,
        stderr: '',
        code: 0,
      });
      expect((await printedBy(await start([]))).stdout).toContain('logtool logs');
    });

    test('it serves the cluster that it runs in', async () => {
      await checkServeInCluster(start, cluster);
    });

    test(
      'it runs the demo, with nothing but /tmp to write to',
      async () => {
        const { stdout, stderr, code } = await printedBy(await start(['demo', '--no-follow']));
        expect([code, stderr]).toEqual([0, expect.stringContaining('A simulated cluster is running')]);
        expect(stdout.split('\n').length).toBeGreaterThan(50);
      },
      HANG_MS,
    );

    test('it has the chart that cluster install uses', async () => {
      const home = await publicFolder();
      await writeFile(join(home, 'kubeconfig'), await readFile(cluster.kubeconfig));
      const { stdout, stderr } = await printedBy(
        await start(['cluster', 'install', '--dry-run', '--repo-offline', '--kube-context=full'], {
          binds: [{ from: home, to: '/kubernetes' }],
          env: { KUBECONFIG: '/kubernetes/kubeconfig' },
        }),
      );
      expect([stdout, stderr]).toEqual([expect.stringContaining('kind: Deployment'), expect.any(String)]);
    });
  });
});
