import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { listReady } from './home-page.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: 'scenarios/permissions.yaml', serve: { auth: 'token' } });

const addressOf = (page: Page) => page.evaluate(() => location.pathname + location.search + location.hash);

test('an address that signs in leaves no trace of its token, and reloads, tabs and links work', async () => {
  const { page, context } = await world.visit(world.server.entry);
  await listReady(page);
  expect(await addressOf(page)).not.toContain('token');
  await page.reload();
  await listReady(page);
  const { page: second } = await world.visit('/?ctx=full', { in: context });
  await listReady(second);
  await page.getByRole('link', { name: 'web' }).first().click();
  await page.locator('.console').waitFor();
  const { page: linked } = await world.visit(await addressOf(page), { in: context });
  await linked.locator('.console').waitFor();
});

test('a link with a page token that is not good signs out neither the tab that opens it nor the others', async () => {
  const { page, context } = await world.visit(world.server.entry, { allows: [/401/] });
  await listReady(page);
  await page.getByRole('link', { name: 'web' }).first().click();
  await page.locator('[data-kind="line"]').first().waitFor();
  const stored = () => page.evaluate(() => Object.values(localStorage));
  const before = await stored();
  const { page: second } = await world.visit('/#logtool-page-token=x', { in: context });
  await listReady(second);
  expect(await addressOf(second)).not.toContain('token');
  expect(await stored()).toEqual(before);
  await second.reload();
  await listReady(second);
  expect(await page.locator('[data-kind="line"]').count()).toBeGreaterThan(0);
});

test('another port of the same host gets the cookie, and nothing for it', async () => {
  const { page, context } = await world.visit(world.server.entry);
  await listReady(page);
  let cookie = '';
  const neighbor = createServer((request, response) => {
    cookie = request.headers.cookie ?? cookie;
    response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,">');
  });
  await new Promise<void>((resolve) => neighbor.listen(0, 'localhost', resolve));
  onTestFinished(() => void neighbor.close());
  const other = await context.newPage();
  await other.goto(`http://localhost:${(neighbor.address() as AddressInfo).port}/`);
  expect(cookie).toMatch(/^logtool-session-\d+=/);
  expect(await other.evaluate(() => localStorage.length)).toBe(0);
  await other.close();
  for (const path of ['info', 'token', 'contexts', 'contexts/full/namespaces', 'contexts/full/workloads'])
    expect((await fetch(`${world.server.origin}/api/v1/${path}`, { headers: { cookie } })).status).toBe(401);
  const html = await (await fetch(world.server.origin, { headers: { cookie } })).text();
  expect(html).toContain('<meta name="logtool-token" content="" />');
});
