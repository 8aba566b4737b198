import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodRequests } from '../../support/server/good-requests.ts';
import { enteredBy, type SignedIn, send, signIn, tokensOf } from '../../support/server/signed-in.ts';
import { codeOf, startDashboard, type TestDashboard } from '../../support/server/start-dashboard.ts';

// Browsers send a host's cookies to all of its ports: any other server there learns them.

let cluster: SimCluster;
beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
});
afterAll(() => cluster.close());

/** How a browser gets its session with each way to sign in. */
const WAYS: Readonly<Record<string, () => Promise<readonly [TestDashboard, SignedIn]>>> = {
  'the address of the server': async () => {
    const dashboard = await startDashboard({ auth: 'token', kubeconfig: cluster.kubeconfig });
    return [dashboard, enteredBy(await dashboard.ask(dashboard.entry))];
  },
  'a token of Kubernetes': async () => {
    const dashboard = await startDashboard({ auth: 'kubernetes', kubeconfig: cluster.kubeconfig });
    return [dashboard, await signIn(dashboard, (await tokensOf(cluster.kubeconfig)).get('full') ?? '')];
  },
};

test.each(Object.keys(WAYS))(
  'only the cookie opens no route to someone who signed in with %s',
  async (way) => {
    const [dashboard, who] = (await WAYS[way]?.()) ?? expect.unreachable();
    const requests = Object.entries(goodRequests('full', '')).filter(([name]) => name !== 'POST /sign-in');
    expect(requests.length).toBeGreaterThan(8);
    for (const [name, request] of requests) {
      const answer = await send(dashboard, request, { ...who, pageToken: '' });
      expect([name, answer.status, await codeOf(answer)]).toEqual([name, 401, 'not-signed-in']);
    }
    expect(dashboard.streams.count).toBe(0);
    const info = { method: 'GET', path: '/info' } as const;
    expect((await send(dashboard, info, who)).status).toBe(200);
    expect((await send(dashboard, info, { ...who, cookie: '' })).status).toBe(401);
  },
);
