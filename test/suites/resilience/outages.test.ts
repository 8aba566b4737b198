import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readKubeconfigFile } from '../../support/kubeconfig-file.ts';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { Crowd } from './crowd.ts';
import { CrowdFollower, plain } from './follow-crowd.ts';
import { ownFolder } from './start-program.ts';

const AWAY = 'Lost contact with the cluster, trying again: WHY\n';
const BACK = 'Reconnected to the cluster\n';

let crowd: Crowd;
let cli: BuiltCli;

beforeAll(async () => {
  [crowd, cli] = await Promise.all([Crowd.start(), buildCli()]);
});
afterAll(async () => {
  await crowd?.cluster.close();
  await cli?.remove();
});

/** Writes a kubeconfig whose user has these fields. */
async function kubeconfigWith(folder: string, user: object): Promise<string> {
  const config = await readKubeconfigFile(crowd.cluster.kubeconfig);
  const [context] = config.contexts;
  config.users = [{ name: 'it', user }];
  config.contexts = [{ name: 'it', context: { ...context?.context, user: 'it' } }];
  config['current-context'] = 'it';
  const path = join(folder, 'kubeconfig');
  await writeFile(path, dump(config));
  return path;
}

/**
 * Replaces the file atomically, like programs that renew credentials: a reader sees the old or the new file,
 * complete.
 */
async function put(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

test('a hundred containers continue over three deaths of the server and the loss of every watch', async () => {
  const follower = await CrowdFollower.start(cli, crowd, crowd.cluster.kubeconfig);
  await follower.caughtUp();
  for (let death = 0; death < 3; death++) {
    await crowd.cluster.control.killServer();
    await crowd.write();
    await follower.reported(2 * death + 1);
    await crowd.cluster.startServer();
    await follower.caughtUp();
    await follower.reported(2 * death + 2);
    await crowd.write();
    await follower.caughtUp();
  }
  // A new server has no old versions: each watch ends once more, and stays closed until its list has arrived.
  await vi.waitFor(
    async () => expect((await crowd.cluster.control.dropWatches()).dropped).toBeGreaterThan(0),
    { timeout: 60_000, interval: 20 },
  );
  await follower.reported(8);
  await crowd.write();
  await follower.caughtUp();
  await follower.interrupt();
  follower.expectExact();
  expect(plain(follower.program.stderr())).toBe((AWAY + BACK).repeat(4));
});

interface Rotation {
  readonly user: object;
  /** Makes the cluster accept only new credentials, which the program finds in their usual place. */
  readonly rotate: () => Promise<void>;
  readonly after?: () => Promise<void>;
}

const rotations: readonly (readonly [kind: string, prepare: (folder: string) => Promise<Rotation>])[] = [
  [
    'a token in a file',
    async (folder) => {
      const tokenFile = join(folder, 'token');
      const putToken = async () => put(tokenFile, (await crowd.entryOf('dev')).token ?? '');
      await putToken();
      return {
        user: { tokenFile },
        rotate: () => crowd.cluster.control.renewToken({ user: 'dev' }).then(putToken),
      };
    },
  ],
  [
    'the token of a plugin',
    async (folder) => {
      const apiVersion = 'client.authentication.k8s.io/v1';
      const [plugin, answer, runs, change] = ['plugin', 'answer', 'runs', 'change'].map((name) =>
        join(folder, name),
      ) as [string, string, string, string];
      const putToken = async () => {
        const { token } = await crowd.entryOf('dev');
        await put(answer, JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token } }));
      };
      await putToken();
      // A request during the token change gets the new token, like from a real issuer.
      const wait = `while [ -e '${change}' ]; do sleep 0.05; done`;
      await writeFile(plugin, `#!/bin/sh\necho run >> '${runs}'\n${wait}\ncat '${answer}'\n`);
      await chmod(plugin, 0o755);
      return {
        user: { exec: { apiVersion, interactiveMode: 'Never', command: plugin } },
        rotate: async () => {
          await writeFile(change, '');
          await crowd.cluster.control.renewToken({ user: 'dev' });
          await putToken();
          await rm(change);
        },
        // Regardless of how many streams were refused at the same time.
        after: async () => expect(await readFile(runs, 'utf8')).toBe('run\nrun\n'),
      };
    },
  ],
  [
    'a client certificate in files',
    async (folder) => {
      const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
      const pem = (text = '') => Buffer.from(text, 'base64').toString();
      const putToken = async () => {
        const entry = await crowd.entryOf('cert');
        await put(certificate, pem(entry['client-certificate-data']));
        await put(key, pem(entry['client-key-data']));
      };
      await putToken();
      return {
        user: { 'client-certificate': certificate, 'client-key': key },
        rotate: () => crowd.cluster.control.renewCertificate({ user: 'cert' }).then(putToken),
      };
    },
  ],
];

test.each(rotations)('a hundred containers continue when %s is renewed', async (_, prepare) => {
  const folder = await ownFolder();
  const { user, rotate, after } = await prepare(folder);
  const follower = await CrowdFollower.start(cli, crowd, await kubeconfigWith(folder, user));
  await follower.caughtUp();
  const refused = () => crowd.cluster.calls.filter(({ status }) => status === 401).length;
  const before = refused();
  await rotate();
  await crowd.write();
  await crowd.cutAll();
  await crowd.write();
  await follower.caughtUp();
  await follower.reported(2);
  await crowd.write();
  await follower.caughtUp();
  await follower.interrupt();
  follower.expectExact();
  expect(refused()).toBeGreaterThan(before);
  expect(plain(follower.program.stderr())).toBe(AWAY + BACK);
  await after?.();
});
