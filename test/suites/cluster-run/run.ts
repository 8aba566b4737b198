import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { openClient } from '../../support/conformance/cluster.ts';
import { HELP, type RunOptions, readOptions, UsageError } from './options.ts';
import { findNamespace, type TestNamespace } from './test-namespace.ts';

// npm run test:cluster -- --kubeconfig FILE: runs the conformance suite in a namespace of any cluster.
const ROOT = resolve(import.meta.dirname, '../../..');
const CLEAR_MS = 180_000;
const interrupted = new AbortController();
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [name, code] of Object.entries(signals)) {
  process.on(name, () => {
    process.exitCode = code;
    if (interrupted.signal.aborted) process.exit();
    interrupted.abort(new Error('interrupted'));
  });
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(HELP);
  else await run(options);
} catch (error) {
  if (!interrupted.signal.aborted) process.exitCode = error instanceof UsageError ? 2 : 1;
  console.error(`test:cluster: ${error instanceof Error ? error.message : error}`);
  if (error instanceof UsageError) console.error('--help shows all flags');
}

async function run(options: RunOptions): Promise<void> {
  // npm runs scripts in the package's folder; paths are relative to the user's folder.
  const kubeconfig = resolve(process.env.INIT_CWD ?? '', options.kubeconfig);
  await readFile(kubeconfig).catch((error: Error) => {
    throw new UsageError(`--kubeconfig: ${error.message}`);
  });
  const client = await openClient(kubeconfig);
  try {
    const target = await findNamespace(client, options.namespace, interrupted.signal);
    console.log(`namespace ${target.namespace} of ${client.cluster.server}`);
    // A killed process leaves its temporary files behind.
    const folder = await mkdtemp(join(tmpdir(), 'logtool-cluster-'));
    let code: number;
    try {
      code = await runTests(options, kubeconfig, target, folder);
    } finally {
      await clear(client, target, options).finally(() =>
        rm(folder, { recursive: true, force: true, maxRetries: 10 }),
      );
    }
    if (!interrupted.signal.aborted) process.exitCode = code;
  } finally {
    client.close();
  }
}

async function clear(client: KubeClient, target: TestNamespace, options: RunOptions): Promise<void> {
  const what = options.namespace === undefined ? `namespace ${target.namespace}` : 'all that was made';
  console.log(`removing ${what}`);
  try {
    await target.clear(AbortSignal.timeout(CLEAR_MS));
  } catch (error) {
    const left = options.namespace === undefined ? `kubectl delete namespace ${target.namespace}` : undefined;
    console.error(`could not remove ${what} from ${client.cluster.server}; ${left ?? ''}`);
    throw error;
  }
}

/** Runs the tests as a process group, so that Ctrl-C ends all of them. Resolves with their exit code. */
function runTests(
  options: RunOptions,
  kubeconfig: string,
  target: TestNamespace,
  temporaryFolder: string,
): Promise<number> {
  const { nodeSelector, imagePullPolicy } = options;
  const child = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'test/suites/conformance/'],
    {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
      env: {
        ...process.env,
        TMPDIR: temporaryFolder,
        LOGTOOL_TEST_KUBECONFIG: kubeconfig,
        LOGTOOL_TEST_NAMESPACE: target.namespace,
        LOGTOOL_TEST_MARK: target.mark,
        LOGTOOL_TEST_IMAGE: options.image,
        LOGTOOL_TEST_HOST_NETWORK: options.hostNetwork ? '1' : '0',
        ...(imagePullPolicy === undefined ? {} : { LOGTOOL_TEST_IMAGE_PULL_POLICY: imagePullPolicy }),
        ...(nodeSelector === undefined ? {} : { LOGTOOL_TEST_NODE_SELECTOR: JSON.stringify(nodeSelector) }),
      },
    },
  );
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has already ended.
    }
  };
  interrupted.signal.addEventListener('abort', kill, { once: true });
  process.once('exit', kill);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      process.off('exit', kill);
      done(code ?? 1);
    });
  });
}
