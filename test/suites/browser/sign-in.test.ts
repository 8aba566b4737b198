import { readFileSync } from 'node:fs';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { API_AUDIENCE, issueAccountToken } from '@logtool/simcluster/src/access/service-account-token.ts';
import { load } from 'js-yaml';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { tokensOf } from '../../support/server/signed-in.ts';
import { violationsOf } from './axe.ts';
import { consolePath, rowWith } from './console-page.ts';
import { eventually } from './eventually.ts';
import { listReady, rowSources } from './home-page.ts';
import { openWorld } from './world.ts';

const READ = [
  { apiGroups: [''], resources: ['pods', 'pods/log', 'events'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['apps', 'batch'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
];

/** Returns a service account of a namespace, which may read only in another namespace (or its own). */
function accountOf(namespace: string, name: string, readsIn = namespace): readonly object[] {
  const rbac = 'rbac.authorization.k8s.io';
  const metadata = { name, namespace: readsIn };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules: READ },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', namespace, name }],
    },
  ];
}

const permissions = load(readFileSync('scenarios/permissions.yaml', 'utf8')) as object;
const objects = [...accountOf('other', 'own'), ...accountOf('shop', 'guest', 'other')];
const world = openWorld({ scenario: { ...permissions, objects }, serve: { auth: 'kubernetes' } });
/** A browser logs refused requests on its console. */
const allows = [/status of 401/];

async function tokenOf(user: string): Promise<string> {
  return (await tokensOf(world.cluster.kubeconfig)).get(user) ?? '';
}

/** Returns a token of a service account. */
function accountToken(namespace: string, name: string): string {
  const account = world.cluster.store.get('serviceaccounts', namespace, name);
  if (account === undefined) throw new Error(`no service account ${name}`);
  const request = { lifetimeSeconds: 3_600, audiences: [API_AUDIENCE] };
  return issueAccountToken(world.cluster.store, systemClock, account, request).token;
}

function heading(page: Page) {
  return page.getByRole('heading', { name: 'Sign in' });
}

async function signIn(page: Page, token: string): Promise<void> {
  await heading(page).waitFor();
  await page.getByLabel('Kubernetes token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('signing in with a Kubernetes token', () => {
  test('two people in two browsers at once see what each may, and nothing else', async () => {
    const ann = await world.visit('/?ctx=full', { allows });
    const bob = await world.visit('/?ctx=full', { allows });
    await signIn(ann.page, await tokenOf('full'));
    await signIn(bob.page, await tokenOf('no-watch'));
    await Promise.all([listReady(ann.page), listReady(bob.page)]);
    await eventually(() => rowSources(ann.page)).toContain('other:pods/elsewhere');
    expect(await rowSources(bob.page)).toEqual(
      expect.arrayContaining(['shop:deployments/web', 'shop:statefulsets/db']),
    );
    expect((await rowSources(bob.page)).filter((source) => source.startsWith('other:'))).toEqual([]);
    expect(await bob.page.evaluate(() => document.cookie)).toBe('');
    expect(await bob.page.content()).not.toContain(await tokenOf('no-watch'));
  });

  test('reports a token that the cluster does not know, and accepts another', async () => {
    const { page } = await world.visit('/?ctx=full', { allows });
    await signIn(page, 'mistyped');
    await page.getByRole('alert').getByText('The cluster does not accept this token').waitFor();
    await signIn(page, await tokenOf('full'));
    await listReady(page);
  });

  test('whoever may read one namespace only sees it at once, if it is that of their service account', async () => {
    const { page } = await world.visit('/?ctx=full', { allows });
    await signIn(page, accountToken('other', 'own'));
    await eventually(() => rowSources(page)).toEqual(['other:pods/elsewhere']);
    await page.getByText('The page shows only other').waitFor();
  });

  test('a namespace that is opened by its name is remembered', async () => {
    const { page, context } = await world.visit('/?ctx=full', { allows });
    await signIn(page, accountToken('shop', 'guest'));
    await page.getByText('The page shows no namespace').waitFor();
    const field = page.getByRole('textbox', { name: 'Open a namespace you may read' });
    // The page does not call an unreadable namespace empty, and keeps the field.
    await field.fill('kube-system');
    await field.press('Enter');
    await page.waitForURL(/ns=kube-system/);
    await page.locator('[data-denied~="kube-system"]').waitFor();
    expect(await page.getByText(/^No workloads/).count()).toBe(0);
    await field.fill('other');
    await field.press('Enter');
    await eventually(() => rowSources(page)).toEqual(['other:pods/elsewhere']);
    await page.getByText('The page shows only other').waitFor();
    expect(await page.getByText('The page shows no namespace').count()).toBe(0);
    const { page: later } = await world.visit('/?ctx=full', { in: context });
    await eventually(() => rowSources(later)).toEqual(['other:pods/elsewhere']);
    await later.getByRole('button', { name: 'All namespaces' }).click();
    await later.locator('[data-namespace="other"]').waitFor();
    expect(await later.locator('[data-namespace="kube-system"]').count()).toBe(0);
  });

  test('signing out ends every tab of the browser, and nothing that was shown is left', async () => {
    const { page, context } = await world.visit('/?ctx=full', { allows });
    await signIn(page, await tokenOf('full'));
    await listReady(page);
    const { page: second } = await world.visit('/?ctx=full', { in: context });
    await listReady(second);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page).waitFor();
    await second.bringToFront();
    await heading(second).waitFor();
    expect(await second.getByText('web').count()).toBe(0);
    expect(await context.cookies()).toEqual([]);
  });

  test('a token that is revoked takes the console back to the sign-in, and a new one to the same lines', async () => {
    const path = consolePath(['shop:statefulsets/db'], 'q=line', 'full');
    const { page } = await world.visit(path, { allows });
    await signIn(page, await tokenOf('no-nodes'));
    await rowWith(page, 'db line').waitFor();
    await world.cluster.control.renewToken({ user: 'no-nodes' });
    await world.cluster.control.dropWatches();
    await heading(page).waitFor();
    await page.getByText('The cluster no longer accepts your token').waitFor();
    expect(await page.locator('.log-scroll').count()).toBe(0);
    expect(await page.getByText('db line').count()).toBe(0);
    await signIn(page, await tokenOf('no-nodes'));
    await rowWith(page, 'db line').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search in the logs' }).inputValue()).toBe('line');
    await eventually(() => page.locator('.console').getAttribute('data-following')).toBe('true');
  });

  test('axe finds nothing on the sign-in, empty and refused, in both themes', async () => {
    for (const theme of ['dark', 'light'] as const) {
      for (const width of [1440, 375]) {
        const { page } = await world.visit('/?ctx=full', { allows, theme, width, height: 812 });
        await heading(page).waitFor();
        expect(await violationsOf(page), `${theme} ${width}`).toEqual([]);
        await signIn(page, 'mistyped');
        await page.getByRole('alert').getByText('The cluster does not accept this token').waitFor();
        expect(await violationsOf(page), `refused ${theme} ${width}`).toEqual([]);
      }
    }
  });

  test('a token that is revoked leads to the sign-in, and a new one back to the same place', async () => {
    const { page } = await world.visit('/?ctx=full', { allows });
    await signIn(page, await tokenOf('no-nodes'));
    await listReady(page);
    await world.cluster.control.renewToken({ user: 'no-nodes' });
    await world.cluster.control.dropWatches();
    await heading(page).waitFor();
    await signIn(page, await tokenOf('no-nodes'));
    await listReady(page);
    expect(new URL(page.url()).searchParams.get('ctx')).toBe('full');
  });
});
