import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { imageReference } from '../../../scripts/image/image-reference.ts';
import { type ArchiveFiles, type PlatformFiles, readArchive, sha256 } from './archive-files.ts';
import { checkServeInCluster, printedBy, publicFolder, type StartImage } from './check-program.ts';
import { isolations, startContainer } from './isolated-root.ts';
import { listLayers } from './list-layers.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../../..');
/** The build downloads a hundred megabytes first; this limit only detects a hang. */
const HANG_MS = 600_000;
/** Tools that `npm run build:image` needs, present on every Debian and Ubuntu. */
const NEEDED = ['/usr/lib/apt/apt-helper', '/usr/bin/dpkg-deb'];
const MAX_BYTES = 120_000_000;
const NEEDED_FILES = [
  'etc/os-release',
  'etc/ssl/certs/ca-certificates.crt',
  'logtool/LICENSE',
  'logtool/bin/logtool.js',
  'logtool/charts/logtool/Chart.yaml',
  'logtool/scenarios/shop.yaml',
  'nodejs/LICENSE',
  'nodejs/bin/node',
  'usr/share/doc/libc6/copyright',
  'usr/share/zoneinfo/Europe/Berlin',
  'var/lib/dpkg/status.d/libc6',
];
/** The libraries that node links to, and its loader. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'linux/amd64': ['lib64/ld-linux-x86-64.so.2', ...librariesOf('x86_64-linux-gnu')],
  'linux/arm64/v8': ['lib/ld-linux-aarch64.so.1', ...librariesOf('aarch64-linux-gnu')],
};

const missing: string[] = [];
for (const path of NEEDED)
  await access(path).catch(() => {
    missing.push(path);
  });

if (missing.length > 0) {
  test.skip(`the image of build:image: this machine has no ${missing.join(' and no ')}`, () => {});
} else {
  let folder = '';
  let contents: ArchiveFiles;
  let amd64: PlatformFiles;
  let root = '';
  let cluster: SimCluster;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logtool-image-'));
    const isBuilt = await access(join(ROOT, 'dist/.files.json')).then(
      () => true,
      () => false,
    );
    if (!isBuilt) await run(process.execPath, ['scripts/build/build.mjs'], { cwd: ROOT });
    const lock = await buildImage(join(folder, 'first.tar'));
    // The image must not depend on the machine: not on its time zone, its language or its umask.
    await buildImage(join(folder, 'second.tar'), lock, {
      TZ: 'Asia/Tokyo',
      LANG: 'tr_TR.UTF-8',
      umask: '077',
    });
    const unpacked = join(folder, 'archive');
    await unpack(join(folder, 'first.tar'), unpacked);
    contents = await readArchive(unpacked);
    amd64 = contents.platforms.find(({ platform }) => platform === 'linux/amd64') as PlatformFiles;
    root = join(folder, 'root');
    for (const [index, layer] of amd64.layers.entries()) {
      await writeFile(join(folder, `${index}.tar`), layer);
      await unpack(join(folder, `${index}.tar`), root);
    }
    cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
  }, HANG_MS);
  afterAll(async () => {
    await cluster?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Runs build:image without its first step. Where Debian has replaced packages of the lock file, uses
   * current ones, so that the test does not depend on the date. Returns the lock file used.
   */
  async function buildImage(
    outfile: string,
    lock?: string,
    { umask = '022', ...env }: Readonly<Record<string, string>> = {},
  ): Promise<string | undefined> {
    const args = ['scripts/run/run-ts.mjs', 'scripts/image/main.ts', `--outfile=${outfile}`];
    const script = `umask ${umask}; exec "$0" "$@"`;
    const build = (...more: readonly string[]) =>
      run('/bin/sh', ['-c', script, process.execPath, ...args, ...more], {
        cwd: ROOT,
        env: { ...process.env, ...env },
      });
    try {
      await build(...(lock === undefined ? [] : [`--lock=${lock}`]));
      return lock;
    } catch (error) {
      if (lock !== undefined || !String(error).includes('which scripts/image/lock.json names')) throw error;
      console.warn(
        'scripts/image/lock.json names packages that cannot be downloaded; trying the newest ones',
      );
      const fresh = join(folder, 'lock.json');
      await build('--update', `--lock=${fresh}`);
      return fresh;
    }
  }

  test('two builds give the same bytes', async () => {
    const [first, second] = await Promise.all(
      ['first.tar', 'second.tar'].map(async (name) => sha256(await readFile(join(folder, name)))),
    );
    expect(second).toBe(first);
  });

  test('it has both platforms, and the name that the chart asks for', async () => {
    expect(contents.platforms.map(({ platform }) => platform)).toEqual(['linux/amd64', 'linux/arm64/v8']);
    const reference = await imageReference(ROOT);
    expect(contents.names['io.containerd.image.name']).toBe(reference);
    expect(contents.docker[0]?.RepoTags).toEqual([reference]);
    for (const { config, layers } of contents.platforms)
      expect(config.rootfs.diff_ids).toEqual(layers.map(sha256));
  });

  test('each platform has at most 120 MB, for nobody more rights than they need, and its own libraries', async () => {
    for (const { platform, layers } of contents.platforms) {
      const entries = await listLayers(layers, folder);
      expect(entries.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
      expect(entries.filter(({ mode }) => /s/i.test(mode.slice(1)))).toEqual([]);
      expect(entries.filter(({ mode }) => mode.startsWith('-') && mode[8] === 'w')).toEqual([]);
      expect(entries.filter(({ mode, name }) => mode[7] !== 'r' && name !== 'home/nonroot/')).toEqual([]);
      expect(entries.filter(({ owner }) => owner !== '0/0').map(({ name }) => name)).toEqual([
        'home/nonroot/',
      ]);
      const names = entries.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining([...NEEDED_FILES, ...LIBRARIES[platform]!]));
      const programs = entries.filter(
        ({ mode, name }) => mode.startsWith('-') && mode[3] === 'x' && !name.startsWith('lib'),
      );
      expect(programs.map(({ name }) => name).sort()).toEqual(['logtool/bin/logtool.js', 'nodejs/bin/node']);
    }
  });

  const [isolation] = isolations();
  if (isolation === undefined) {
    test.skip('its program: this machine allows no mounts of its own', () => {});
  } else if (process.arch !== 'x64') {
    test.skip(`its program: this machine is ${process.arch}`, () => {});
  } else {
    describe(`its program (${isolation})`, () => {
      const startCommand = async (
        command: readonly string[],
        { binds = [], env = {} }: NonNullable<Parameters<StartImage>[1]> = {},
      ) => {
        const { Env, WorkingDir } = amd64.config.config as { Env: string[]; WorkingDir: string };
        const ofImage = Object.fromEntries(Env.map((pair) => pair.split(/=(.*)/).slice(0, 2)));
        const child = startContainer(isolation, {
          root,
          binds: [{ from: await publicFolder(0o1777), to: '/tmp' }, ...binds],
          workdir: WorkingDir,
          env: { ...ofImage, ...env },
          command,
        });
        onTestFinished(() => void child.kill('SIGKILL'));
        return child;
      };
      const start: StartImage = (args, more) =>
        startCommand([...(amd64.config.config.Entrypoint as string[]), ...args], more);
      /** Runs a script with the image's node, like the chart's own test. */
      const evaluate = async (script: string) => {
        const printed = await printedBy(await startCommand(['/nodejs/bin/node', '--eval', script]));
        expect([printed.code, printed.stderr]).toEqual([0, '']);
        return JSON.parse(printed.stdout) as unknown;
      };

      test('it prints its version', async () => {
        const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
        expect(await printedBy(await start(['--version']))).toEqual({
          stdout: `logtool ${version}\n`,
          stderr: '',
          code: 0,
        });
      });

      test('it serves the cluster that it runs in', async () => {
        await checkServeInCluster(start, cluster);
      });

      test(
        'it runs the demo',
        async () => {
          const { stdout, stderr, code } = await printedBy(await start(['demo', '--no-follow']));
          expect([code, stderr]).toEqual([0, expect.stringContaining('A simulated cluster is running')]);
          expect(stdout.split('\n').length).toBeGreaterThan(50);
        },
        HANG_MS,
      );

      test('it shows times in the zone that is asked for', async () => {
        const home = await publicFolder();
        await writeFile(join(home, 'kubeconfig'), await readFile(cluster.kubeconfig));
        const timesIn = async (zone: string) => {
          const { stdout, stderr } = await printedBy(
            await start(['logs', 'pods/db-0', '--tail=1', '--columns=timestamp', `--timezone=${zone}`], {
              binds: [{ from: home, to: '/kubernetes' }],
              env: { KUBECONFIG: '/kubernetes/kubeconfig' },
            }),
          );
          expect(stderr).toBe('');
          return stdout.trimEnd().split('\n').at(-1)?.split(' ')[0] ?? '';
        };
        const [utc, india] = [await timesIn('utc'), await timesIn('Asia/Kolkata')];
        expect(utc).toMatch(/Z$/);
        expect(india).toMatch(/\+05:30$/);
        expect(Date.parse(india)).toBe(Date.parse(utc));
      });

      test('it runs without a user name, and can write only to /tmp', async () => {
        const script = `
          const fs = require('node:fs');
          const write = (path) => { try { fs.writeFileSync(path, ''); return 'written'; } catch ({ code }) { return code; } };
          console.log(JSON.stringify([process.getuid(), process.getgid(), ...['/x', '/logtool/x', '/etc/passwd', '/tmp/x'].map(write)]));`;
        expect(await evaluate(script)).toEqual([65532, 65532, 'EROFS', 'EROFS', 'EROFS', 'written']);
      });

      test('its node trusts the certificate authorities that Debian has', async () => {
        const script = `
          const { createSecureContext } = require('node:tls');
          const { X509Certificate } = require('node:crypto');
          const text = require('node:fs').readFileSync(process.env.SSL_CERT_FILE, 'utf8');
          const all = text.match(/-----BEGIN[^]*?-----END CERTIFICATE-----\\n/g).map((pem) => new X509Certificate(pem));
          createSecureContext({ ca: text });
          console.log(JSON.stringify([all.length, all.every(({ ca }) => ca), all.some(({ subject }) => subject.includes('ISRG Root X1'))]));`;
        const [count, ...rest] = (await evaluate(script)) as [number, boolean, boolean];
        expect(count).toBeGreaterThan(100);
        expect(rest).toEqual([true, true]);
      });

      // Only root may serve the port of DNS, which a resolver cannot choose.
      test.runIf(process.getuid?.() === 0)(
        'its node finds hosts by the files of a pod and by DNS',
        async () => {
          const server = createSocket('udp4');
          server.on('message', (query, { port, address }) => server.send(answerTo(query), port, address));
          server.bind(53, '127.0.0.9');
          await once(server, 'listening');
          onTestFinished(() => void server.close());
          await writeFile(join(root, 'etc/hosts'), '10.1.1.1 alias.example\n');
          await writeFile(join(root, 'etc/resolv.conf'), 'nameserver 127.0.0.9\n');
          const script = `
          const { lookup } = require('node:dns/promises');
          Promise.all(['alias.example', 'api.logtool.svc'].map((name) => lookup(name, { family: 4 })))
            .then((found) => console.log(JSON.stringify(found.map(({ address }) => address))));`;
          expect(await evaluate(script)).toEqual(['10.1.1.1', '10.9.8.7']);
        },
      );

      test('its node has every time zone and language that logtool knows', async () => {
        const script = `console.log(JSON.stringify([process.versions.node.split('.')[0],
          Intl.supportedValuesOf('timeZone').length > 400, new Date(0).toLocaleString('de', { timeZone: 'Europe/Berlin' })]))`;
        expect(await evaluate(script)).toEqual(['22', true, '1.1.1970, 01:00:00']);
      });
    });
  }
}

/** Answers each question for an IPv4 address with 10.9.8.7 (RFC 1035, 4.1). */
function answerTo(query: Buffer): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const head = Buffer.from(query.subarray(0, 12));
  head.set([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0], 2);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 9, 8, 7]);
  return Buffer.concat([head, question, record]);
}

function librariesOf(triplet: string): readonly string[] {
  const ofLibc = ['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0', 'libgcc_s.so.1'];
  return [...ofLibc.map((name) => `lib/${triplet}/${name}`), `usr/lib/${triplet}/libstdc++.so.6`];
}

async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const owners = process.getuid?.() === 0 ? ['--same-owner', '--numeric-owner'] : ['--no-same-owner'];
  await run('tar', [
    '--extract',
    '--preserve-permissions',
    ...owners,
    '--file',
    archive,
    '--directory',
    folder,
  ]);
}
