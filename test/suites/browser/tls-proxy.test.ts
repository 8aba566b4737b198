import { request } from 'node:http';
import { pipeline } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { tokensOf } from '../../support/server/signed-in.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/tls-server/scripted-server.ts';
import { listReady } from './home-page.ts';
import { PATIENCE_MS } from './visit.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: 'scenarios/permissions.yaml', serve: { auth: 'kubernetes' } });

/**
 * Starts a proxy that terminates TLS before the dashboard, like an Ingress; it passes streams through
 * unbuffered.
 */
async function startProxy(): Promise<ScriptedServer> {
  const proxy = await startScriptedServer((incoming, response) => {
    const { method, url, headers } = incoming;
    const target = new URL(url ?? '/', world.server.origin);
    const sent = request(
      target,
      { method, headers: { ...headers, 'x-forwarded-proto': 'https' }, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        response.flushHeaders();
        pipeline(answer, response, () => undefined);
      },
    );
    sent.on('error', () => response.destroy());
    response.once('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  onTestFinished(() => proxy.close());
  return proxy;
}

test('behind a proxy with TLS a person signs in, reads and follows; the cookie is only for this host and TLS', async () => {
  const { url: origin } = await startProxy();
  const context = await world.browser.newContext({ ignoreHTTPSErrors: true });
  context.setDefaultTimeout(PATIENCE_MS);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${origin.origin}/?ctx=full`);
  const token = (await tokensOf(world.cluster.kubeconfig)).get('full') ?? '';
  await page.getByLabel('Kubernetes token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await listReady(page);
  await page.getByRole('link', { name: 'web' }).first().click();
  await page.locator('[data-kind="line"]').first().waitFor();
  const where = { namespace: 'shop', pod: 'db-0', container: 'postgres' };
  await page.goto(`${origin.origin}/?ctx=full`);
  await page.getByRole('link', { name: 'db' }).first().click();
  await page.locator('[data-kind="line"]').first().waitFor();
  await world.cluster.writeLog(where, { bytes: Buffer.from('a line through the proxy') });
  await page.getByText('a line through the proxy').waitFor();
  const cookies = await context.cookies();
  expect(cookies.map(({ name }) => name.replace(/-\d+(\.\d+)?$/, ''))).toEqual(
    cookies.map(() => '__Host-logtool-session'),
  );
  for (const { secure, httpOnly, sameSite, path, domain } of cookies)
    expect({ secure, httpOnly, sameSite, path, domain }).toEqual({
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      domain: origin.hostname,
    });
  expect(cookies.length).toBeGreaterThan(0);
  await page.goto(`${origin.origin}/?ctx=full`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await context.cookies()).toEqual([]);
});
