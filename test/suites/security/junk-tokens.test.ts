import type { ServerResponse } from 'node:http';
import { Agent, request } from 'node:http';
import { createDashboard } from '@logtool/logtool/src/server/create-dashboard.ts';
import { listen } from '@logtool/logtool/src/server/node.ts';
import { expect, onTestFinished, test } from 'vitest';
import { testKubeconfig } from '../../support/server/kubeconfig.ts';
import { optionsOn } from '../../support/server/start-dashboard.ts';
import { sendJson, startScriptedServer } from '../../support/tls-server/scripted-server.ts';

const JUNK = 48;
/**
 * Two addresses of this machine that limits treat separately. Linux has all of 127.0.0.0/8; other systems
 * have ::1.
 */
const HERE = { host: '127.0.0.1' } as const;
const ELSEWHERE =
  process.platform === 'linux'
    ? ({ ...HERE, localAddress: '127.0.0.2' } as const)
    : ({ host: '::1' } as const);

/** Starts a dashboard for users with tokens; `onJunk` answers for the API server on an invalid token. */
async function serve(onJunk: (response: ServerResponse) => void) {
  const api = await startScriptedServer(({ headers }, response) => {
    const user = /^Bearer (\w+)-token$/.exec(headers.authorization ?? '')?.[1];
    if (user === undefined) onJunk(response);
    else sendJson(response, 201, { status: { userInfo: { username: user } } });
  });
  const { file } = await testKubeconfig([{ name: 'here', server: api.url.href, ca: api.certificate.cert }]);
  const dashboard = await createDashboard(optionsOn(file, { auth: 'kubernetes' }));
  const server = await listen(dashboard.fetch, { host: 'localhost', port: 0, mayMove: false });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(async () => {
    agent.destroy();
    await server.close();
    await dashboard.close();
    await api.close();
  });
  /** Signs in over a connection from that address of this machine; returns the status and the cookie. */
  const signIn = (token: string, from: typeof HERE | typeof ELSEWHERE, cookie = '') =>
    new Promise<{ readonly status: number; readonly cookie: string }>((resolve, reject) => {
      const sent = request(
        {
          ...from,
          port: server.port,
          agent,
          method: 'POST',
          path: '/api/v1/sign-in',
          headers: { 'content-type': 'application/json', ...(cookie === '' ? {} : { cookie }) },
        },
        (answer) => {
          answer.resume();
          const cookies = answer.headers['set-cookie'] ?? [];
          const pairs = cookies.map((line) => line.split(';')[0]).join('; ');
          answer.once('end', () => resolve({ status: answer.statusCode ?? 0, cookie: pairs }));
        },
      );
      sent.once('error', reject);
      sent.end(JSON.stringify({ token }));
    });
  return { signIn };
}

test('wrong tokens that the cluster is slow about keep neither other addresses out nor people with a session', async () => {
  const held: ServerResponse[] = [];
  const { signIn } = await serve((response) => void held.push(response));
  const ann = await signIn('ann-token', HERE);
  let answered = 0;
  const junk = Array.from({ length: JUNK }, async (_, number) => {
    await signIn(`junk-${number}`, HERE).catch(() => undefined);
    answered++;
  });
  while (held.length + answered < 16) await new Promise((resolve) => setImmediate(resolve));
  expect((await signIn('bob-token', ELSEWHERE)).status).toBe(200);
  expect((await signIn('ann-token', HERE, ann.cookie)).status).toBe(200);
  expect(answered).toBe(0);
  const timer = setInterval(() => {
    for (const response of held.splice(0)) sendJson(response, 401, { kind: 'Status', code: 401 });
  }, 5);
  await Promise.all(junk);
  clearInterval(timer);
});

test('behind one proxy, endless wrong tokens of one client lock nobody out', async () => {
  const { signIn } = await serve((response) => sendJson(response, 401, { kind: 'Status', code: 401 }));
  let isOver = false;
  const statuses = new Set<number>();
  const junk = Array.from({ length: JUNK }, async (_, number) => {
    for (let count = 0; !isOver; count++)
      statuses.add((await signIn(`junk-${number}-${count}`, HERE)).status);
  });
  while (statuses.size === 0) await new Promise((resolve) => setImmediate(resolve));
  for (let person = 0; person < 5; person++)
    expect((await signIn(`person${person}-token`, HERE)).status).toBe(200);
  isOver = true;
  await Promise.all(junk);
  expect([...statuses]).toEqual([401]);
});
