import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { expect, onTestFinished, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { testKubeconfig } from '../../../../../test/support/server/kubeconfig.ts';
import { enteredBy, headersOf } from '../../../../../test/support/server/signed-in.ts';
import { ownAddresses } from '../../server/security/own-addresses.ts';
import { Stop } from '../exit-codes.ts';
import { run } from '../run.ts';

async function world(argv: readonly string[], env: Record<string, string> = {}) {
  const { file } = await testKubeconfig([
    { name: 'here', server: 'https://127.0.0.1:1', token: 'cluster-secret' },
  ]);
  return capture(['serve', `--kubeconfig=${file}`, ...argv], { env, overrides: { clock: systemClock } });
}

async function start(argv: readonly string[], env: Record<string, string> = {}) {
  const made = await world(argv, env);
  const ended = run(made.context);
  const stop = async () => {
    made.controller.abort(new Stop(130, 'interrupted'));
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  await Promise.race([made.written('logtool dashboard: '), ended]);
  const url = /^logtool dashboard: (\S+)\n$/.exec(made.stdout())?.[1] ?? '';
  return { ...made, url: url === '' ? new URL('http://nowhere.invalid') : new URL(url), stop };
}

test("it prints the dashboard's address, serves it, and ends on a signal", async () => {
  const { url, stdout, stderr, stop } = await start(['--port=0']);
  expect(stdout()).toMatch(/^logtool dashboard: http:\/\/localhost:\d+\/\n$/);
  expect(stderr()).toBe('note: logtool did not open a browser: there is no display\n');
  expect(await (await fetch(new URL('healthz', url))).text()).toBe('ok');
  const { contexts } = (await (await fetch(new URL('api/v1/contexts', url))).json()) as {
    contexts: object[];
  };
  expect(contexts).toMatchObject([{ name: 'here', isCurrent: true }]);
  expect(await stop()).toBe(130);
  await expect(fetch(new URL('healthz', url))).rejects.toThrow();
});

test('--skip-open says nothing of a browser', async () => {
  const { stderr } = await start(['--port=0', '--skip-open']);
  expect(stderr()).toBe('');
});

test('with a token, the printed address lets in and others do not', async () => {
  const { url } = await start(['--port=0', '--skip-open', '--auth=token', '--base-path=/logs']);
  expect(url.pathname + url.search).toMatch(/^\/logs\/\?token=[\w-]{43}$/);
  const info = new URL('/logs/api/v1/info', url);
  expect((await fetch(info)).status).toBe(401);
  const entered = await fetch(url, { redirect: 'manual' });
  const browser = enteredBy(entered);
  expect((await fetch(info, { headers: { cookie: browser.cookie } })).status).toBe(401);
  expect((await fetch(info, { headers: headersOf(browser) })).status).toBe(200);
});

test('it says what it does as JSON lines, without secrets', async () => {
  const { url, stderr, stop } = await start(['--port=0', '--skip-open', '--auth=token', '-l', 'debug']);
  const secret = url.searchParams.get('token') ?? '';
  const entered = await fetch(url, { redirect: 'manual' });
  const browser = enteredBy(entered);
  await fetch(new URL('/api/v1/contexts?check=here', url), {
    headers: { ...headersOf(browser), authorization: 'Bearer abc.def' },
  });
  await stop();
  const lines = stderr()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'debug',
      msg: 'answered',
      method: 'GET',
      path: '/?token=***',
      status: 303,
    }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'asked the cluster', url: expect.stringContaining('/version') }),
  );
  const cookie = browser.cookie.split('=')[1] ?? secret;
  for (const each of [secret, cookie, browser.pageToken, 'abc.def', 'cluster-secret']) {
    expect(stderr()).not.toContain(each);
  }
});

test('a port that was chosen and is taken is an error', async () => {
  const other = createServer().listen({ port: 0, host: '127.0.0.1' });
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  const { context, stdout, stderr } = await world([`--port=${port}`]);
  expect([await run(context), stdout()]).toEqual([2, '']);
  expect(stderr()).toBe(`error: port ${port} of localhost is taken
  why: another program listens there
  next: choose another one with --port, or --port=0 for any that is free
`);
});

test('without a kubeconfig it does not start', async () => {
  const { context, stderr } = capture(['serve', '--port=0', '--kubeconfig=/nowhere/config']);
  expect([await run(context), stderr()]).toEqual([
    1,
    expect.stringContaining('no kubeconfig at /nowhere/config'),
  ]);
});

test('on all addresses, each printed address lets in, and other names do not', async () => {
  const { stdout } = await start(['--host=0.0.0.0', '--auth=token', '--port=0', '--skip-open']);
  const urls = stdout()
    .trimEnd()
    .split('\n')
    .map((line) => new URL(/^logtool dashboard: (\S+)$/.exec(line)?.[1] ?? ''));
  expect(urls.map(({ hostname }) => hostname)).toContain('localhost');
  for (const { address, family, isLoopback } of ownAddresses())
    if (family === 'IPv4' && !isLoopback) expect(urls.map(({ hostname }) => hostname)).toContain(address);
  for (const url of urls) expect((await fetch(url, { redirect: 'manual' })).status).toBe(303);
});

test('--kube-context is the context that the page opens first', async () => {
  const { file } = await testKubeconfig([
    { name: 'here', server: 'https://127.0.0.1:1' },
    { name: 'there', server: 'https://127.0.0.1:2' },
  ]);
  const { url } = await start(['--port=0', '--skip-open', `--kubeconfig=${file}`, '--kube-context=there']);
  const { contexts } = (await (await fetch(new URL('api/v1/contexts', url))).json()) as {
    contexts: object[];
  };
  expect(contexts).toMatchObject([
    { name: 'here', isCurrent: false },
    { name: 'there', isCurrent: true },
  ]);
});

test('a missing context is an error at the start', async () => {
  const { context, stderr } = await world(['--port=0', '--kube-context=her']);
  expect([await run(context), stderr()]).toEqual([
    2,
    expect.stringContaining('did you mean --kube-context here?'),
  ]);
});

test('metrics are on a port of their own, without sign-in', async () => {
  const { url, stderr } = await start(['--port=0', '--skip-open', '--auth=token', '--metrics-port=0']);
  const metrics = new URL(/^metrics: (\S+)\n$/.exec(stderr())?.[1] ?? '');
  expect([metrics.pathname, metrics.port]).toEqual(['/metrics', expect.not.stringMatching(url.port)]);
  expect(await (await fetch(new URL('/api/v1/info', url))).json()).toMatchObject({
    error: { code: 'not-signed-in' },
  });
  const text = await (await fetch(metrics)).text();
  expect(text).toContain('logtool_http_requests_total{method="GET",route="/info",status="4xx"} 1\n');
  expect((await fetch(new URL('/api/v1/info', metrics))).status).toBe(404);
});

test('a taken port of the metrics is an error that names its flag, and nothing keeps listening', async () => {
  const other = createServer().listen({ port: 0, host: '127.0.0.1' });
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  const { context, stderr } = await world(['--port=0', `--metrics-port=${port}`]);
  expect([await run(context), stderr()]).toEqual([
    2,
    expect.stringContaining('choose another one with --metrics-port'),
  ]);
});

test('beyond the machine without sign-in there is a warning', async () => {
  const { stderr } = await start(['--host=0.0.0.0', '--auth=none', '--port=0', '--skip-open']);
  expect(stderr()).toMatch(/^warning: whoever reaches 0\.0\.0\.0 on port \d+ can read all logs/);
});
