import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HELM_VERSIONS, helm } from '../../support/oracles/helm.ts';

const CHART = join(import.meta.dirname, '../../../charts/logtool');

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
});
afterAll(() => rm(home, { recursive: true }));

/** Returns what helm prints after installing release r in namespace ops. */
async function notes(...sets: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await helm(
    HELM_VERSIONS[0],
    ['install', 'r', CHART, '-n', 'ops', '--dry-run=client', ...sets.map((set) => `--set=${set}`)],
    { home },
  );
  expect([exitCode, stderr.replace(/^level=.*\n/gm, '')]).toEqual([0, '']);
  return stdout.toString().split('NOTES:\n')[1] ?? '';
}

test('the notes create an account for people who have none', async () => {
  const text = await notes();
  expect(text).toContain(
    'port-forward service/r-logtool 7500:80\n  then http://localhost:7500/\n\nThe dashboard asks',
  );
  expect(text).toContain(`
  kubectl --namespace ops create serviceaccount log-reader
  kubectl --namespace ops create rolebinding log-reader --clusterrole view --serviceaccount ops:log-reader
  kubectl --namespace ops create token log-reader --duration 10h
`);
  expect(text).toContain('kubectl create clusterrolebinding log-reader --clusterrole view');
});

test('where only some namespaces are shown, the account is for one of them', async () => {
  const text = await notes('allowedNamespaces={shop,data}');
  expect(text).toContain('kubectl --namespace shop create rolebinding log-reader');
  expect(text).not.toContain('clusterrolebinding');
});

test('the notes name the addresses of the Ingress and of the route', async () => {
  const text = await notes(
    'dashboard.ingress.enabled=true,dashboard.ingress.hosts={logs.example.com},dashboard.basePath=/logs',
    'dashboard.httpRoute.enabled=true,dashboard.httpRoute.hostnames={route.example.com}',
    'dashboard.httpRoute.parentRefs[0].name=public,dashboard.replicas=3',
  );
  expect(text).toContain('http://logs.example.com/logs');
  expect(text).toContain('https://route.example.com/logs');
  expect(text).toContain('WARNING: dashboard.ingress.tls is empty');
  expect(text).not.toMatch(/port-forward|sticky/);
});
