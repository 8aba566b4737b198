import { KubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { end, printed, record, records, target } from '../../../../../../test/support/cli/fake-services.ts';
import { withMessage } from '../../../../../../test/support/with-message.ts';
import type { Frame } from '../../../domain/frame.ts';
import type { ResolveEvent } from '../../../domain/resolve-event.ts';
import { LogtoolError } from '../../messages/logtool-error.ts';
import { errorText } from '../error-text.ts';
import { newFailures } from './failures.ts';

const CLUSTER = { context: 'prod', server: 'https://prod', namespace: 'shop', user: 'ada' };
const pods = Array.from({ length: 100 }, (_, index) => target(`web-${index}`));

/** Returns what the engine yields for a container whose log the server does not serve. */
function failed(of: (typeof pods)[number], status: number, message: string): Frame {
  const request = {
    verb: 'get',
    resource: 'pods',
    subresource: 'log',
    namespace: of.namespace,
    name: of.pod,
  };
  const kind = status === 403 ? 'forbidden' : status === 401 ? 'unauthorized' : 'server';
  const error = withMessage(describeKubeError(new KubeError({ kind, status, message, request }), CLUSTER));
  return { type: 'source', target: of, state: 'failed', error };
}

const added = pods.map((each): ResolveEvent => ({ type: 'added', target: each }));
const stderrOf = async (frames: readonly Frame[], argv: readonly string[] = []) => {
  const { stderr, code } = await printed(['deployments/web', ...argv], added, [...frames, end()]);
  expect(code).toBe(1);
  return stderr;
};

test('100 containers that answer 503 are one error of three lines', async () => {
  const frames = pods.map((each) =>
    failed(each, 503, 'the server is currently unable to handle the request'),
  );
  expect(await stderrOf(frames)).toBe(
    'error: the cluster failed to answer for the logs of 100 containers: shop/web-0/app, shop/web-1/app, shop/web-2/app and 97 more\n' +
      '  why: the server is currently unable to handle the request (503)\n' +
      '  next: run it again; if it fails again, check the API server and the node of the pod\n',
  );
  expect((await stderrOf(frames, ['-o', 'json'])).split('\n')).toHaveLength(4);
  expect((await stderrOf(frames, ['--follow'])).split('\n')).toHaveLength(4);
});

test('one that fails is named as before', async () => {
  expect(await stderrOf([failed(pods[0]!, 503, 'no')])).toMatch(
    /^error: the cluster failed to answer for the log of pods "web-0"/,
  );
});

test('names inside a message are not another cause, and become capitals for all', async () => {
  const text = (pod: string) =>
    `Get "https://10.0.0.1:10250/containerLogs/shop/${pod}/app": dial tcp: no route to host`;
  const stderr = await stderrOf(pods.map((each) => failed(each, 500, text(each.pod))));
  expect(stderr.split('\n')).toHaveLength(4);
  expect(stderr).toContain(text('POD'));
});

test('another message, another status and another node are other causes', async () => {
  const stderr = await stderrOf([
    failed(pods[0]!, 503, 'a'),
    failed(pods[1]!, 503, 'b'),
    failed(pods[2]!, 500, 'a'),
    failed(pods[3]!, 503, 'a'),
  ]);
  expect(stderr.match(/^error:/gm)).toHaveLength(3);
  expect(stderr).toContain('the logs of 2 containers: shop/web-0/app, shop/web-3/app\n');
});

test.each([
  [401, 'Unauthorized'],
  [403, 'pods "web" is forbidden: User "ada" cannot get resource "pods/log"'],
])('%d of 100 containers is one error that counts them', async (status, message) => {
  const stderr = await stderrOf(pods.map((each) => failed(each, status, message)));
  expect(stderr.split('\n')).toHaveLength(4);
  expect(stderr).toContain('100 containers: shop/web-0/app, shop/web-1/app, shop/web-2/app and 97 more');
  expect(stderr).not.toContain('"web-0"');
});

test('100 containers that have not started are one error', async () => {
  const frames = pods.map(
    (each): Frame => ({ type: 'source', target: each, state: 'waiting', reason: 'ImagePullBackOff' }),
  );
  expect(await stderrOf(frames)).toBe(
    'error: 100 containers have not started: shop/web-0/app, shop/web-1/app, shop/web-2/app and 97 more\n' +
      '  why: they are waiting: ImagePullBackOff\n' +
      '  next: use --follow to wait for it, or see: kubectl describe pod POD -n shop\n',
  );
});

test('reports a failure soon, even while others continue', async () => {
  const clock = new FakeClock();
  const texts: string[] = [];
  const failures = newFailures(clock, async (error) => void texts.push(errorText(error)));
  const error = (name: string) => new LogtoolError({ code: 'x', what: `no log of ${name}` });
  for (const each of pods.slice(0, 8)) {
    failures.hold({ error: error(each.pod), target: each });
    await clock.advance(500);
  }
  expect(texts).toEqual([
    'error: no log of POD (6 containers: shop/web-0/app, shop/web-1/app, shop/web-2/app and 3 more)\n',
  ]);
  await clock.advance(1000);
  expect(texts[1]).toBe('error: no log of POD (2 containers: shop/web-6/app, shop/web-7/app)\n');
  expect(clock.pending).toBe(0);
});

test('records of the others are printed, and the exit code is that of a failure', async () => {
  const frames = [
    failed(pods[0]!, 503, 'no'),
    records(record(pods[1]!, '2026-11-21T10:00:00Z', 'ready')),
    end(),
  ];
  const { stdout, code } = await printed(['web', '--columns='], added, frames);
  expect([stdout, code]).toEqual(['ready\n', 1]);
});
