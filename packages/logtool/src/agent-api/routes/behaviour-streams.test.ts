import { existsSync } from 'node:fs';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AggregatedLogs, type FollowedLog } from '../../../../../test/support/agent-api/aggregated-logs.ts';

/** Logs that are followed with the real kubectl, through the API server, the API of logtool and the agent. */
const LOG = 'shop/pods/web/log';
const READ = { apiGroups: ['', 'logtool.dev'], resources: ['pods/log'], verbs: ['get'] };

let logs: AggregatedLogs;
let clock: FakeClock;
beforeEach(async () => {
  clock = new FakeClock(Date.now());
  logs = await AggregatedLogs.start({
    nodes: ['node-1'],
    clock,
    users: [{ name: 'reader', rules: [READ] }],
    workloads: [
      { kind: 'Pod', namespace: 'shop', name: 'web', containers: [{ name: 'app', lines: ['first'] }] },
      { kind: 'Pod', namespace: 'shop', name: 'quiet', containers: [{ name: 'app' }] },
    ],
  });
});
afterEach(() => logs.close());

const write = (text: string) =>
  logs.cluster.control.writeLines({ namespace: 'shop', pod: 'web', text: [text] });
const has = (followed: FollowedLog, text: string) => expect.poll(followed.text).toBe(text);

describe.runIf(existsSync('/proc/self/fd'))('a followed log', () => {
  test('has each line as it is written, also of files that were rotated away', async () => {
    await logs.cluster.control.rotateLog({ namespace: 'shop', pod: 'web' });
    const followed = await logs.follow(`${LOG}?follow=true`);
    await has(followed, 'first\n');
    let text = 'first\n';
    for (const line of ['second', 'third']) {
      await write(line);
      text += `${line}\n`;
      await has(followed, text);
    }
    followed.kill();
    await followed.ended;
  });

  test('begins although there is no line', async () => {
    const answer = await logs.open('namespaces/shop/pods/quiet/log?follow=true', 'reader');
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/plain' } });
    let text = '';
    answer.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    await logs.cluster.control.writeLines({ namespace: 'shop', pod: 'quiet', text: ['at last'] });
    await expect.poll(() => text).toBe('at last\n');
    answer.destroy();
  });

  test('is broken off within a minute after its reader lost the permission', async () => {
    const followed = await logs.follow(`${LOG}?follow=true`, 'reader');
    await has(followed, 'first\n');
    await logs.cluster.control.setRules({ user: 'reader', rules: [{ ...READ, apiGroups: ['logtool.dev'] }] });
    await clock.advance(60_000);
    await expect
      .poll(() => [...logs.reports.api, ...logs.reports.agents])
      .toContainEqual({ code: 'stream-ended', problem: 'denied', cause: undefined });
    expect(await followed.ended).not.toBe(0);
    await write('a secret');
    expect(followed.text()).toBe('first\n');
  });

  test('is broken off, and not taken for complete, when the agent dies', async () => {
    const followed = await logs.follow(`${LOG}?follow=true`);
    await has(followed, 'first\n');
    await logs.killAgent('node-1');
    expect(await followed.ended).not.toBe(0);
    expect(logs.reports.api).toEqual([{ code: 'log-cut', error: expect.any(Error) }]);
    const { stderr } = await logs.log(LOG);
    expect(stderr).toContain('cannot reach the agent of logtool on node "node-1"');
  });
});
