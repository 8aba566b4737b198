import { execFile, spawnSync } from 'node:child_process';
import { access, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUN } from '../../../scripts/binary/binary-targets.mjs';
import { findBun } from '../../../scripts/binary/find-bun.mjs';
import { kubectlPath } from '../../support/oracles/kubectl.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** The compiler is downloaded first; this limit only detects a hang. */
const HANG_MS = 600_000;

/** Returns why the compiler is missing; downloading it needs a network. */
function missing(): string | undefined {
  try {
    findBun();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const why = missing();
if (why !== undefined) {
  console.warn(`the single file is not tried: ${why}`);
  test.skip(`the single file: ${why}`, () => undefined);
} else {
  let cluster: SimCluster;
  let folder = '';
  let program = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logtool-single-file-'));
    program = join(folder, 'logtool');
    // `npm test` builds this first; needed if only this file runs.
    const isBuilt = await access(join(ROOT, 'dist/ui')).then(
      () => true,
      () => false,
    );
    if (!isBuilt) build('scripts/build/build.mjs');
    build('scripts/binary/build-binary.mjs', '--version=1.2.3', `--outfile=${program}`);
    await symlink(program, join(folder, 'kubectl-logtool'));
    cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  }, HANG_MS);
  afterAll(async () => {
    await cluster?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns a program's output and exit code, without Node on its path. */
  const outputText = (file: string, args: readonly string[], path = folder): Promise<string> => {
    const env = { PATH: [path, '/nowhere'].join(delimiter), HOME: folder, KUBECONFIG: cluster.kubeconfig };
    return new Promise((done) => {
      execFile(file, args, { env, cwd: folder }, (error, stdout, stderr) =>
        done(`${stdout}${stderr}${error === null ? '' : `(${error.code})`}`),
      );
    });
  };

  test('the single file needs nothing beside it', async () => {
    expect(await outputText(program, ['--version'])).toBe('logtool 1.2.3\n');
    const lines = await outputText(program, ['logs', 'deployments/web', '--tail=3', '--raw']);
    expect(lines.trimEnd().split('\n')).toHaveLength(3);
    expect(await outputText(program, ['cluster', 'install', '--dry-run', '--repo-offline'])).toContain(
      'kind: Deployment',
    );
    // A thread matches large patterns; the file contains its script too.
    const large = ['--grep=[^\\n]{0,400}', '--force'];
    const matched = await outputText(program, ['logs', 'deployments/web', '--tail=3', '--raw', ...large]);
    expect(matched.trimEnd().split('\n')).toHaveLength(3);
    expect(await outputText(program, ['logs', 'absent'])).toMatch(/^error: [\s\S]*\(1\)$/);
  });

  test('the single file shows the licenses of its runtime and of what that links, too', async () => {
    const text = await outputText(program, ['version', '--licenses']);
    expect(text).toMatch(/^ +Apache License\n/);
    for (const name of ['js-yaml', 'react', `Bun ${BUN}`, 'JavaScriptCore', 'BoringSSL', 'ICU'])
      expect(text).toMatch(new RegExp(`^${name} .*\\(.*\\)`, 'm'));
    expect(text).toContain('GNU LIBRARY GENERAL PUBLIC LICENSE');
  });

  test('the demo of the single file names it, and no package of npm, where no shell finds it', async () => {
    const text = await outputText(program, ['demo', '--no-follow'], '/nowhere');
    expect(text).toContain(`  ${program} logs '*:deployments/*'`);
    expect(text).not.toContain('npx');
  });

  test('the single file is a plugin of kubectl by its name', async () => {
    const kubectl = await kubectlPath();
    expect(await outputText(kubectl, ['logtool', '--help'])).toMatch(
      /^Usage: kubectl logtool COMMAND \[flags\]$/m,
    );
    const lines = await outputText(kubectl, ['logtool', 'logs', 'deployments/web', '--tail=3', '--raw']);
    expect(lines.trimEnd().split('\n')).toHaveLength(3);
  });
}

function build(script: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`);
}
