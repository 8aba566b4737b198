import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { type Authority, createAuthority, type Identity } from '@logtool/simcluster/src/access/tls.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { NodeUnderRead } from '../../../../../test/support/backend/node-under-read.ts';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { Stop } from '../exit-codes.ts';
import { run } from '../run.ts';

const LOG = '/apis/logtool.dev/v1alpha1/namespaces/shop/pods/web/log?container=app';
let node: NodeUnderRead;
let authority: Authority;
let own: Identity;
let tls: string;
beforeAll(async () => {
  node = await NodeUnderRead.start();
  node.app.fill({
    '0.log.20261121-100000': Buffer.from('2026-11-21T10:00:00Z stdout F older\n'),
    '0.log': Buffer.from('2026-11-21T10:00:01Z stdout F newer\n'),
  });
  authority = await createAuthority('logtool-ca');
  own = await authority.issueServer(['localhost']);
  tls = await folderWith({});
});
afterAll(async () => {
  await rm(tls, { recursive: true });
  await node.close();
});

async function folderWith(changed: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-tls-'));
  const { certificate, key } = own;
  const files = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.certificate, ...changed };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  return folder;
}

function started(argv: readonly string[], clock: Clock = systemClock) {
  const flags = [`--kubeconfig=${node.cluster.kubeconfig}`, `--log-directory=${node.appPath.root}`];
  const made = capture(['agent', ...flags, ...argv], { overrides: { clock } });
  return { ...made, ended: run(made.context) };
}

async function portOf({ stderr }: ReturnType<typeof started>): Promise<number> {
  await expect.poll(stderr).toContain('serves the logs of this node');
  return Number(/"port":(\d+)/.exec(stderr())?.[1]);
}

interface Asked {
  readonly port: number;
  readonly user: string;
  readonly identity: Identity;
  /** Signs for the agent. */
  readonly by?: Authority;
}

function ask({
  port,
  user,
  identity,
  by = authority,
}: Asked): Promise<{ readonly code: number; readonly text: string }> {
  const client = { cert: identity.certificate, key: identity.key, ca: by.certificate };
  const options = { ...client, host: 'localhost', port, path: LOG, headers: { 'X-Remote-User': user } };
  return new Promise((resolve, reject) => {
    request({ ...options, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
    })
      .on('error', reject)
      .end();
  });
}

describe.runIf(existsSync('/proc/self/fd'))('logtool agent', () => {
  test('serves all files of a container to whom the cluster allows it, until a signal', async () => {
    const made = started(['--port=0', `--tls-directory=${tls}`, '--allowed-namespaces=shop']);
    const stop = () => {
      made.controller.abort(new Stop(130, 'interrupted'));
      return made.ended;
    };
    onTestFinished(async () => void (await stop()));
    const port = await portOf(made);
    const identity = await authority.issueClient('logtool-api', []);
    expect(await ask({ port, user: 'reader', identity })).toEqual({ code: 200, text: 'older\nnewer\n' });
    expect(await ask({ port, user: 'stranger', identity })).toMatchObject({
      code: 403,
      text: expect.stringContaining('User \\"stranger\\" cannot get resource \\"pods/log\\"'),
    });
    const another = await authority.issueClient('another', []);
    expect(await ask({ port, user: 'reader', identity: another })).toMatchObject({ code: 401 });
    expect(made.stderr()).toMatch(/"problem":"denied".*\n.*"problem":"name-not-allowed"/);
    expect(made.stdout()).toBe('');
    expect(await stop()).toBe(130);
    await expect(ask({ port, user: 'reader', identity })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe.runIf(existsSync('/proc/self/fd'))('an agent whose Secret is renewed', () => {
  test('uses the new files without a restart, and the old ones until they are complete', async () => {
    const folder = await folderWith({});
    const clock = new FakeClock(Date.now());
    const made = started(['--port=0', `--tls-directory=${folder}`], clock);
    onTestFinished(async () => {
      made.controller.abort(new Stop(130, 'interrupted'));
      await made.ended;
      await rm(folder, { recursive: true });
    });
    const aMinuteLater = async () => {
      await clock.advance(60_000);
      return made.stderr();
    };
    const port = await portOf(made);
    const before = { port, user: 'reader', identity: await authority.issueClient('logtool-api', []) };
    expect(await ask(before)).toMatchObject({ code: 200 });

    const next = await createAuthority('logtool-ca');
    const { key, certificate } = await next.issueServer(['localhost']);
    const write = (name: string, text: string) => writeFile(join(folder, name), text);
    await write('tls.crt', certificate);
    await expect.poll(aMinuteLater).toContain('keeps its certificates');
    expect(await ask(before)).toMatchObject({ code: 200 });

    await write('tls.key', key);
    await write('ca.crt', next.certificate);
    await expect.poll(aMinuteLater).toContain('uses renewed certificates');
    const after = { ...before, identity: await next.issueClient('logtool-api', []), by: next };
    expect(await ask(after)).toMatchObject({ code: 200 });
    expect(await ask({ ...after, identity: before.identity })).toMatchObject({ code: 401 });
  });
});

test.each([
  ['tls.crt', 'no certificate', 'it contains no certificate'],
  ['ca.crt', '', 'it contains no certificate'],
  ['tls.key', 'no key', 'it is not the key of tls.crt'],
])('a wrong %s is named', async (name, text, why) => {
  const folder = await folderWith({ [name]: text });
  onTestFinished(() => rm(folder, { recursive: true }));
  const { ended, stderr } = started(['--port=0', `--tls-directory=${folder}`]);
  expect(await ended).toBe(1);
  expect(stderr()).toContain(`logtool cannot use ${join(folder, name)}`);
  expect(stderr()).toContain(why);
});

test('the key of another certificate, and a folder without files, are named', async () => {
  const { key } = await authority.issueServer(['localhost']);
  const folder = await folderWith({ 'tls.key': key });
  const other = started(['--port=0', `--tls-directory=${folder}`]);
  expect([await other.ended, other.stderr()]).toEqual([1, expect.stringContaining('not the key of tls.crt')]);
  await rm(folder, { recursive: true });
  const missing = started(['--port=0', `--tls-directory=${folder}`]);
  expect([await missing.ended, missing.stderr()]).toEqual([1, expect.stringContaining('ENOENT')]);
});

test('a port that is taken is named', async () => {
  const first = started(['--port=0', `--tls-directory=${tls}`]);
  const port = await portOf(first);
  const second = started([`--port=${port}`, `--tls-directory=${tls}`]);
  expect(await second.ended).toBe(1);
  expect(second.stderr()).toContain(`logtool cannot listen on port ${port}`);
  first.controller.abort(new Stop(130, 'interrupted'));
  expect(await first.ended).toBe(130);
});

test('help of the command exists, and that of the program does not name it', async () => {
  const of = async (...argv: string[]) => {
    const made = capture(argv);
    expect(await run(made.context)).toBe(0);
    return made.stdout();
  };
  expect(await of('agent', '--help')).toContain('--tls-directory');
  expect(await of('--help')).not.toMatch(/^ +agent /m);
  expect(await of('--help')).toMatch(/^ +serve /m);
});
