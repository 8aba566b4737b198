import { expect, test } from 'vitest';
import { openClusterOfPeople } from '../../../../../test/support/server/cluster-of-people.ts';
import { goodRequests } from '../../../../../test/support/server/good-requests.ts';
import { send, signIn } from '../../../../../test/support/server/signed-in.ts';
import { startDashboard, type TestDashboard } from '../../../../../test/support/server/start-dashboard.ts';

const people = openClusterOfPeople();

const measured = () =>
  startDashboard({ auth: 'kubernetes', kubeconfig: people.cluster.kubeconfig, measures: true });

async function ask(dashboard: TestDashboard, path = '/metrics', method = 'GET'): Promise<Response> {
  if (dashboard.metrics === undefined) throw new Error('nothing is measured');
  return dashboard.metrics(new Request(`http://10.0.0.7:9464${path}`, { method }));
}

/** Returns the value of a line, by everything before the value. */
async function sampleOf(dashboard: TestDashboard, line: string): Promise<number | undefined> {
  const lines = (await (await ask(dashboard)).text()).split('\n');
  const found = lines.find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

test('requests, streams, lines and bytes are counted as they go', async () => {
  const dashboard = await measured();
  const who = await signIn(dashboard, people.tokenOf('full'));
  const good = goodRequests('full', who.pageToken);
  const download = good['GET /contexts/{context}/logs/download'];
  const logs = good['POST /contexts/{context}/logs'];
  if (download === undefined || logs === undefined) throw new Error('there are no such requests');
  const text = await (await send(dashboard, download, who)).text();
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(0);
  expect(await sampleOf(dashboard, 'logtool_log_lines_total')).toBe(lines.length);
  expect(await sampleOf(dashboard, 'logtool_log_bytes_total')).toBe(
    lines.map((line) => /web line \d+$/.exec(line)?.[0].length ?? 0).reduce((sum, length) => sum + length),
  );
  expect(
    await sampleOf(
      dashboard,
      'logtool_http_requests_total{method="GET",route="/contexts/{context}/logs/download",status="2xx"}',
    ),
  ).toBe(1);

  const stream = await send(dashboard, logs, who);
  expect(await sampleOf(dashboard, 'logtool_streams_open{kind="logs"}')).toBe(1);
  await stream.body?.cancel();
  expect(await sampleOf(dashboard, 'logtool_streams_open{kind="logs"}')).toBe(0);
  expect(await sampleOf(dashboard, 'logtool_streams_total{kind="logs"}')).toBe(1);
  expect(await sampleOf(dashboard, 'logtool_streams_total{kind="download"}')).toBe(1);
});

test('what the server refuses is counted with what it answers', async () => {
  const dashboard = await measured();
  await dashboard.ask('/api/v1/info');
  await dashboard.ask('/', { headers: { host: 'attacker.example' } });
  await dashboard.ask('/healthz', { method: 'PROPFIND' });
  expect(
    await sampleOf(dashboard, 'logtool_http_requests_total{method="GET",route="/info",status="4xx"}'),
  ).toBe(1);
  expect(
    await sampleOf(dashboard, 'logtool_http_requests_total{method="GET",route="page",status="4xx"}'),
  ).toBe(1);
  expect(
    await sampleOf(dashboard, 'logtool_http_requests_total{method="other",route="probe",status="4xx"}'),
  ).toBe(1);
});

test('errors of clusters are counted by their reason', async () => {
  const dashboard = await measured();
  const who = await signIn(dashboard, people.tokenOf('nobody'));
  const namespaces = goodRequests('full', who.pageToken)['GET /contexts/{context}/namespaces'];
  if (namespaces === undefined) throw new Error('there is no such request');
  await (await send(dashboard, namespaces, who)).text();
  expect(await sampleOf(dashboard, 'logtool_cluster_errors_total{reason="forbidden"}')).toBeGreaterThan(0);
  expect(await sampleOf(dashboard, 'logtool_cluster_requests_total{status="2xx"}')).toBeGreaterThan(0);
  expect((await dashboard.ask('/api/v1/sign-in', signInWith('unknown'))).status).toBe(401);
  expect(await sampleOf(dashboard, 'logtool_cluster_errors_total{reason="unauthorized"}')).toBe(1);
});

function signInWith(token: string) {
  return { method: 'POST', body: JSON.stringify({ token }), headers: { 'content-type': 'application/json' } };
}

test('a cluster that does not answer is an error of its own', async () => {
  const dashboard = await startDashboard({ measures: true });
  await (await dashboard.ask('/api/v1/contexts?check=here')).text();
  expect(await sampleOf(dashboard, 'logtool_cluster_errors_total{reason="no_answer"}')).toBeGreaterThan(0);
});

test('no name of anything in a cluster, nor of a person, is in the metrics', async () => {
  const dashboard = await measured();
  const who = await signIn(dashboard, people.tokenOf('full'));
  for (const [name, request] of Object.entries(goodRequests('full', who.pageToken)))
    if (!name.includes('sign')) await (await send(dashboard, request, who)).body?.cancel();
  const text = await (await ask(dashboard)).text();
  expect(text).toContain('/contexts/{context}/workloads');
  expect(text).not.toMatch(/full|shop|web|127\.0\.0\.1|localhost/);
});

test('serves only /metrics, and only for reading', async () => {
  const dashboard = await measured();
  const answer = await ask(dashboard);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect((await ask(dashboard, '/api/v1/info')).status).toBe(404);
  expect((await ask(dashboard, '/metrics', 'POST')).status).toBe(405);
  expect(await (await ask(dashboard, '/metrics', 'HEAD')).text()).toBe('');
  expect((await startDashboard()).metrics).toBeUndefined();
});
