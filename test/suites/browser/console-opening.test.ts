import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  consolePath,
  followButton,
  heldLines,
  log,
  openConsole,
  rowWith,
  settledRows,
  shownTexts,
} from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const pods = { resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] };
const one = (name: string, lines: readonly unknown[], more: object = {}) => ({
  kind: 'Deployment',
  name,
  replicas: 1,
  containers: [{ name: 'app', lines }],
  ...more,
});
const world = openWorld({
  scenario: {
    seed: 1,
    clusterName: 'opening',
    namespace: 'shop',
    startDelays: 'none',
    backfill: '5m',
    namespaces: ['shop'],
    nodes: [{ name: 'node-a' }],
    users: [
      {
        name: 'no-logs',
        rules: [pods, { apiGroups: ['apps', 'batch'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
      },
    ],
    workloads: [
      one('web', [{ text: 'web line {n}', repeat: 300 }]),
      one('slow', [{ text: 'slow line {n}', repeat: 300 }]),
      one('quiet', []),
      one('brief', [{ text: 'brief line {n}', repeat: 3 }]),
      one('stuck', [], {
        containers: [{ name: 'app', image: 'registry.example.com/none:0', state: 'bad-image' }],
      }),
      {
        kind: 'Job',
        name: 'migrate',
        containers: [{ name: 'migrate', lines: ['migrated'], exit: { code: 3, reason: 'Error' } }],
        backoffLimit: 0,
      },
    ],
  },
});
const [WEB, SLOW, QUIET, BRIEF, STUCK, JOB] = [
  'deployments/web',
  'deployments/slow',
  'deployments/quiet',
  'deployments/brief',
  'deployments/stuck',
  'jobs/migrate',
].map((name) => `shop:${name}`) as [string, string, string, string, string, string];
/** Longer than any test, so that a test that waits for it fails. */
const NEVER_MS = 3_600_000;
const hang = (workload: string) =>
  world.cluster.inject({ kind: 'delay', match: `pods/${workload}-[^/]*/log`, delayMs: NEVER_MS });
const late = (page: Page) => page.getByRole('status', { name: 'Containers that have not answered' });
const foot = (page: Page) => page.getByRole('status', { name: 'Connection' });
const conditions = (page: Page) => page.locator('[data-facet="container"] .facet-name').allTextContents();

test('a container that does not answer hides no line of the others, is named, and can be left out', async () => {
  hang('slow');
  try {
    const { page } = await openConsole(world, [WEB, SLOW]);
    await eventually(() => heldLines(page)).toBe(300);
    await late(page)
      .getByText(/^1 container on node node-a has not answered for \d+ s$/)
      .waitFor();
    await late(page)
      .getByText(/not answered for 3 s/)
      .waitFor();
    expect(await page.getByText('Beginning of logs').count()).toBe(0);
    expect(await foot(page).textContent()).toBe('no answer from 1 of 2 containers');
    expect(await followButton(page).textContent()).toBe('Following');
    await eventually(() => conditions(page)).toEqual(
      expect.arrayContaining([expect.stringMatching(/app running$/), expect.stringMatching(/appno answer$/)]),
    );
    await world.cluster.control.writeLines({ workload: 'deployments/web', text: ['written meanwhile'] });
    await rowWith(page, 'written meanwhile').waitFor();
    await late(page).getByRole('button', { name: 'Leave out' }).click();
    await late(page).waitFor({ state: 'detached' });
    await eventually(() => new URL(page.url()).searchParams.getAll('src')).toEqual([WEB]);
    await eventually(() => foot(page).textContent()).toBe('connected');
    await log(page).focus();
    await page.keyboard.press('Home');
    await page.getByText('Beginning of logs').waitFor();
    await eventually(() => conditions(page)).toEqual([expect.stringMatching(/app running$/)]);
  } finally {
    world.cluster.clearFaults();
  }
});

test('a late container is inserted where its lines belong, and the first row in view stays', async () => {
  await world.cluster.control.writeLines({ workload: 'deployments/slow', text: ['slow and last'] });
  await world.cluster.control.writeLines({ workload: 'deployments/web', text: ['web after slow'] });
  world.cluster.inject({ kind: 'delay', match: 'pods/slow-[^/]*/log', delayMs: 5_000 });
  try {
    const { page } = await openConsole(world, [WEB, SLOW]);
    await late(page).waitFor();
    // New requests get an immediate answer; requests in flight are still late.
    world.cluster.clearFaults();
    const held = await heldLines(page);
    await log(page).focus();
    await page.keyboard.press('PageUp');
    await eventually(() => followButton(page).textContent()).toBe('Follow');
    const [before] = await settledRows(page);
    expect(before?.text).toMatch(/^web line/);
    expect(await rowWith(page, 'slow').count()).toBe(0);
    await late(page).waitFor({ state: 'detached' });
    await rowWith(page, 'slow line').waitFor();
    expect((await settledRows(page)).find(({ entry }) => entry === before?.entry)).toEqual(before);
    // These lines were loaded before: none is new.
    expect(await page.locator('[data-new-lines]').count()).toBe(0);
    await page.keyboard.press('End');
    await eventually(async () => (await shownTexts(page)).slice(-2)).toEqual([
      'slow and last',
      'web after slow',
    ]);
    await page.keyboard.press('Home');
    await eventually(() => heldLines(page)).toBe(held + 301);
  } finally {
    world.cluster.clearFaults();
  }
});

test('a range that is not followed opens without a late container, and takes its lines when it answers', async () => {
  world.cluster.inject({ kind: 'delay', match: 'pods/slow-[^/]*/log', delayMs: 4_000 });
  try {
    const { page } = await openConsole(world, [WEB, SLOW], { query: 'last=1h&follow=0' });
    await late(page).waitFor();
    world.cluster.clearFaults();
    expect(await rowWith(page, 'slow line').count()).toBe(0);
    await late(page).waitFor({ state: 'detached' });
    await log(page).focus();
    await page.keyboard.press('Home');
    await rowWith(page, 'slow line').waitFor();
    await eventually(() => conditions(page)).toHaveLength(2);
  } finally {
    world.cluster.clearFaults();
  }
});

test.each([
  ['a range', 'follow=0&from=-1h&to=+1h'],
  ['a time', 'from=-1h'],
])(
  '%s that opens at its start shows those that have answered, and a late one above without moving the rows',
  async (_, query) => {
    const hour = (sign: string) =>
      new Date(Date.now() + (sign === '-' ? -3_600_000 : 3_600_000)).toISOString();
    const range = query.replace(/([-+])1h/g, (_whole, sign: string) => hour(sign));
    world.cluster.inject({ kind: 'delay', match: 'pods/slow-[^/]*/log', delayMs: 5_000 });
    try {
      const { page } = await openConsole(world, [WEB, SLOW], { query: range });
      await late(page)
        .getByText(/^1 container on node node-a has not answered for \d+ s$/)
        .waitFor();
      world.cluster.clearFaults();
      expect(await rowWith(page, 'slow line').count()).toBe(0);
      expect(await page.getByText('Beginning of logs').count()).toBe(0);
      // Scrolls to the middle, so that lines arrive above and below the visible ones.
      await log(page).hover();
      await page.mouse.wheel(0, 1_500);
      const rows = await settledRows(page);
      await late(page).waitFor({ state: 'detached' });
      await rowWith(page, 'slow line').waitFor();
      const after = (await settledRows(page)).find(({ entry }) => entry === rows[0]?.entry);
      expect(Math.abs((after?.top ?? Number.NaN) - (rows[0]?.top ?? 0))).toBeLessThanOrEqual(1);
      await log(page).focus();
      await page.keyboard.press('Home');
      await eventually(async () => (await shownTexts(page)).slice(0, 4).join()).toMatch(/slow line \d+/);
      await eventually(() => heldLines(page)).toBeGreaterThanOrEqual(600);
    } finally {
      world.cluster.clearFaults();
    }
  },
);

test('while nobody answers nothing is claimed, and nothing is lit', async () => {
  hang('(web|slow)');
  try {
    const { page } = await world.visit(consolePath([WEB, SLOW]));
    await page.getByRole('heading', { name: 'No answer yet' }).waitFor();
    await late(page)
      .getByText(/^2 containers on node node-a have not answered for \d+ s/)
      .waitFor();
    await eventually(() => foot(page).textContent()).toBe('no container has answered');
    await eventually(() => followButton(page).textContent()).toBe('Waiting');
    expect(await followButton(page).getAttribute('class')).not.toMatch(/\bon\b/);
  } finally {
    world.cluster.clearFaults();
  }
});

test('each container says how it stands: running, waiting with its reason, finished with its exit code', async () => {
  const { page } = await openConsole(world, [WEB, STUCK, JOB]);
  await eventually(() => conditions(page)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/app running$/),
      expect.stringMatching(/appwaiting: (ImagePullBackOff|ErrImagePull)$/),
      expect.stringMatching(/migratefinished \(exit 3\)$/),
    ]),
  );
});

test('logs that a person lacks permission to read are forbidden: the cluster answers, and nothing is followed', async () => {
  const { page } = await world.visit(consolePath([WEB, SLOW], '', 'no-logs'));
  await page.getByRole('region', { name: 'Problems' }).getByText('pods/log').first().waitFor();
  await eventually(() => foot(page).textContent()).toBe('no permission to read these logs');
  await eventually(() => conditions(page)).toEqual([
    expect.stringMatching(/appforbidden$/),
    expect.stringMatching(/appforbidden$/),
  ]);
  expect(await followButton(page).textContent()).toBe('Nothing to follow');
  expect(await page.getByText(/not respond|does not answer|following/).count()).toBe(0);
});

test('a source that is removed leaves the list of containers, and is not called gone', async () => {
  const { page } = await openConsole(world, [WEB, SLOW]);
  await eventually(async () => (await conditions(page)).length).toBe(2);
  await page.getByRole('button', { name: /^Remove .*slow/ }).click();
  await eventually(() => conditions(page)).toEqual([expect.stringMatching(/app running$/)]);
  await eventually(() => foot(page).textContent()).toBe('connected');
  expect(await page.getByText('gone', { exact: true }).count()).toBe(0);
});

test('containers that have all finished are not followed', async () => {
  const { page } = await openConsole(world, [JOB]);
  await eventually(() => foot(page).textContent()).toBe('all containers finished');
  expect(await followButton(page).textContent()).toBe('Nothing to follow');
  expect(await followButton(page).getAttribute('class')).not.toMatch(/\bon\b/);
  expect(await followButton(page).getAttribute('aria-pressed')).toBe('false');
});

test('nothing is followed while the only container waits for its image, or when no pod is left', async () => {
  const isLit = async (page: Page) => /\bon\b/.test((await followButton(page).getAttribute('class')) ?? '');
  const { page } = await world.visit(consolePath([STUCK]));
  await eventually(() => foot(page).textContent()).toBe('no container has started');
  expect([await followButton(page).textContent(), await isLit(page)]).toEqual(['Waiting', false]);
  await page.getByRole('heading', { name: 'No lines yet', exact: true }).waitFor();
  const { page: deleted } = await openConsole(world, [BRIEF]);
  await eventually(() => isLit(deleted)).toBe(true);
  const summary = deleted.getByRole('status', { name: 'New lines' });
  await deleted.getByRole('searchbox', { name: 'Search in the logs' }).fill('brief');
  await world.cluster.control.writeLines({ workload: 'deployments/brief', text: 'brief {n}', count: 3 });
  await eventually(() => summary.textContent()).toBe('3 new lines, following, 6 hits');
  await world.cluster.control.scale({ workload: 'deployments/brief', replicas: 0 });
  await eventually(() => foot(deleted).textContent()).toBe('no container, waiting for new pods');
  expect([await followButton(deleted).textContent(), await isLit(deleted)]).toEqual(['Waiting', false]);
  await eventually(() => summary.textContent()).toBe('');
});

test('a search in a log without lines, read to its end, covers all of it', async () => {
  const { page } = await world.visit(consolePath([QUIET], 'q=nothing'));
  await eventually(() => page.getByRole('status', { name: 'Search' }).textContent()).toBe(
    '0 hits in all logs',
  );
});

test('a cluster that has died is not reachable, and nothing is followed', async () => {
  const { page } = await openConsole(world, [WEB]);
  await eventually(() => followButton(page).textContent()).toBe('Following');
  await world.cluster.control.killServer();
  try {
    await eventually(() => foot(page).textContent()).toBe('cluster not responding, retrying');
    expect(await followButton(page).textContent()).toBe('Waiting');
    await page.getByRole('button', { name: /^Context / }).click();
    await page.getByRole('link', { name: /admin.*does not answer/ }).waitFor();
  } finally {
    await world.cluster.startServer();
  }
  await eventually(() => foot(page).textContent()).toBe('connected');
  await eventually(() => followButton(page).textContent()).toBe('Following');
});
