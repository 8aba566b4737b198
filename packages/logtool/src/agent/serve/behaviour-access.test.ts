import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessReview } from '@logtool/kube/src/client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { createAuthority, type Identity } from '@logtool/simcluster/src/access/tls.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  AgentUnderTest,
  type Answer,
  type Ask,
  type Review,
} from '../../../../../test/support/agent/agent-under-test.ts';

const UID = '7f0ab3de-64a6-4f8f-9f0c-5d1f2f2f9c11';
const API = '/apis/logtool.dev/v1alpha1';
const LOG = `${API}/namespaces/shop/pods/web/log`;
const ENTRY = '2026-11-21T10:00:00.5Z stdout F text of the log\n';
const TEXT = 'text of the log\n';
const DAY_MS = 86_400_000;

let root: string;
let agent: AgentUnderTest;
let clock: FakeClock;
let review: Review;
let asked: { readonly who: unknown; readonly what: AccessReview }[];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'logtool-agent-'));
});
afterAll(() => rmSync(root, { recursive: true }));

beforeEach(async () => {
  rmSync(root, { recursive: true });
  write(`shop_web_${UID}`, ENTRY);
  write('bank_vault_1', 'a secret');
  clock = new FakeClock(Date.now());
  asked = [];
  review = async () => true;
  agent = await AgentUnderTest.start({
    root,
    clock,
    allowedNamespaces: ['shop', 'other'],
    review: (who, what, options) => {
      asked.push({ who, what });
      return review(who, what, options);
    },
  });
});
afterEach(() => agent.close());

function write(pod: string, text: string, file = '0.log', container = 'app'): string {
  const folder = join(root, pod, container);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), text);
  return join(folder, file);
}

/** The log files that this process has open. */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`);
      return path.startsWith(root) ? [path] : [];
    } catch {
      return [];
    }
  });
}

const both = async (path: string, ask?: Ask): Promise<readonly Answer[]> => [
  await agent.http1(path, ask),
  await agent.http2(path, ask),
];
const codesOf = (answers: readonly Answer[]) => answers.map(({ code }) => code);
const textsOf = (answers: readonly Answer[]) => answers.map(({ body }) => body.toString());

describe.runIf(existsSync('/proc/self/fd'))('an agent', () => {
  test('reviews whom the API names, with the name of the pod, and returns the log', async () => {
    const answers = await both(LOG);
    expect(textsOf(answers)).toEqual([TEXT, TEXT]);
    expect(asked).toEqual([
      {
        who: { user: 'jane', uid: '', groups: ['dev', 'system:authenticated'], extra: {} },
        what: {
          group: '',
          resource: 'pods',
          subresource: 'log',
          verb: 'get',
          namespace: 'shop',
          name: 'web',
        },
      },
    ]);
  });

  const others: Record<string, () => Promise<Identity | undefined>> = {
    'no certificate': async () => undefined,
    'the certificate of an agent': () => agent.authority.issueClient('logtool-agent', []),
    'the certificate of a server of that name': () => agent.authority.issueServer(['logtool-api']),
    'an expired certificate': () => agent.authority.issueClient('logtool-api', [], { expired: true }),
    'a certificate of another authority': async () =>
      (await createAuthority('kubernetes-ca')).issueClient('logtool-api', []),
    'a certificate of an authority of the same name': async () =>
      (await createAuthority('logtool-ca')).issueClient('logtool-api', []),
    'the certificate of the API sent along': async () => {
      const own = await (await createAuthority('logtool-ca')).issueClient('logtool-api', []);
      return { ...own, certificate: `${own.certificate}\n${agent.api.certificate}` };
    },
  };
  test.each(Object.keys(others))('answers 401 to %s, whatever its headers say', async (name) => {
    const identity = await others[name]!();
    const answers = await both(LOG, { identity, headers: { 'X-Remote-User': 'system:admin' } });
    expect(codesOf(answers)).toEqual([401, 401]);
    expect(asked).toEqual([]);
    expect(agent.reports.map(({ code }) => code)).toEqual(['unknown-caller', 'unknown-caller']);
  });

  test.each<[string, Record<string, string>, number]>([
    ['without a caller', {}, 401],
    ['with an empty caller', { 'X-Remote-User': '' }, 401],
    ['with a token of the caller instead', { Authorization: 'Bearer x' }, 401],
    ['with a caller that is no text', { 'X-Remote-User': 'jan\u00e9' }, 400],
  ])('answers the API %s with an error', async (_, headers, code) => {
    expect(codesOf(await both(LOG, { headers }))).toEqual([code, code]);
    expect(asked).toEqual([]);
  });

  test('stops to answer when the certificate of the API expires', async () => {
    clock.set(Date.now() + 4000 * DAY_MS);
    expect(codesOf(await both(LOG))).toEqual([401, 401]);
  });

  test.each<[string, Review, number, string]>([
    ['refuses the caller', async () => false, 403, 'denied'],
    ['does not answer', () => Promise.reject(new Error('away')), 503, 'unanswered'],
  ])('returns nothing if the API server %s', async (_, verdict, code, problem) => {
    review = verdict;
    const answers = await both(LOG);
    expect(codesOf(answers)).toEqual([code, code]);
    expect(textsOf(answers).join('')).not.toContain(TEXT.trim());
    expect(agent.reports[0]).toMatchObject({ code: 'refused', problem });
  });

  test('returns no log of a namespace that its settings leave out, and does not ask for it', async () => {
    expect(codesOf(await both(`${API}/namespaces/bank/pods/vault/log`))).toEqual([403, 403]);
    expect(asked).toEqual([]);
  });

  test.each([
    [`${API}/namespaces/shop/pods/../../bank/pods/vault/log`, 404],
    [`${API}/namespaces/shop/pods/..%2f..%2fbank_vault_1/log`, 404],
    [`${API}/namespaces/shop/pods/web%00/log`, 404],
    [`${API}/namespaces/shop/pods/%ff/log`, 404],
    [`${API}/namespaces/shop/pods/we/log`, 404],
    [`${API}/namespaces/shop/pods/web_7f0ab3de-64a6-4f8f-9f0c/log`, 404],
    [`${API}/namespaces/shop/pods/web/log/`, 404],
    [`${API}/namespaces/shop/pods/web`, 404],
    ['/', 404],
    [`${LOG}?uid=..`, 404],
    [`${LOG}?uid=${UID}/app/..`, 404],
    [`${LOG}?container=..`, 400],
    [`${LOG}?container=../../bank_vault_1/app`, 400],
    [`${LOG}?container=app/`, 400],
  ])('reads nothing else for the address %s', async (path, code) => {
    const { body, code: answered } = await agent.http2(path);
    expect([answered, body.toString()]).toEqual([code, expect.stringContaining('"kind":"Status"')]);
  });

  test('answers only GET', async () => {
    expect(codesOf(await both(LOG, { method: 'POST' }))).toEqual([405, 405]);
  });

  test.each(['grep=x', 'format=json', 'limit=1', 'until=2026-11-21T10:00:00Z'])(
    'refuses %s, which it would have to ignore',
    async (parameter) => {
      expect(codesOf(await both(`${LOG}?${parameter}`))).toEqual([400, 400]);
    },
  );

  test('reads the pod of a UID, a run, and the run before the last', async () => {
    write(`shop_web_${UID}`, ENTRY.replace('text', 'run 1'), '1.log');
    write(`shop_web_${UID}`, ENTRY.replace('text', 'run 2'), '2.log');
    expect(textsOf(await both(LOG))[0]).toMatch(/^run 2/);
    expect(textsOf(await both(`${LOG}?previous=true`))[0]).toMatch(/^run 1/);
    expect(textsOf(await both(`${LOG}?run=0`))[0]).toBe(TEXT);
    expect(codesOf(await both(`${LOG}?run=7`))).toEqual([404, 404]);
    expect(codesOf(await both(`${LOG}?run=1&previous=true`))).toEqual([422, 422]);
    write('shop_web_1', ENTRY.replace('text', 'an earlier pod'));
    expect(textsOf(await both(`${LOG}?uid=${UID}`))[0]).toMatch(/^run 2/);
    expect(textsOf(await both(`${LOG}?uid=1`))[0]).toMatch(/^an earlier pod/);
    const [choice] = await both(LOG);
    expect([choice?.code, choice?.body.toString()]).toEqual([400, expect.stringContaining(`[1 ${UID}]`)]);
  });

  test('reads a static pod, whose folder has the hash of its definition, by its UID in the API', async () => {
    write('shop_proxy_0123456789abcdef0123456789abcdef', ENTRY);
    const log = `${API}/namespaces/shop/pods/proxy/log`;
    expect(textsOf(await both(`${log}?uid=${UID}`))).toEqual([TEXT, TEXT]);
    // A pod with a UID of its own is never taken for another one.
    expect(codesOf(await both(`${LOG}?uid=another`))).toEqual([404, 404]);
  });

  test('says why it cannot read a file, and what it is', async () => {
    rmSync(join(root, `shop_web_${UID}`, 'app', '0.log'));
    symlinkSync('../../bank_vault_1/app/0.log', join(root, `shop_web_${UID}`, 'app', '0.log'));
    const answers = await both(LOG);
    expect(codesOf(answers)).toEqual([500, 500]);
    expect(textsOf(answers)[0]).toContain('cannot read 0.log: it is a symbolic link');
    expect(agent.reports).toMatchObject([
      { code: 'read-failed', isCut: false, error: { because: 'link' } },
      { code: 'read-failed', isCut: false, error: { because: 'link' } },
    ]);
  });

  test.runIf(process.getuid?.() !== 0)('says that it lacks the permission to read a file', async () => {
    chmodSync(join(root, `shop_web_${UID}`, 'app', '0.log'), 0o000);
    expect(textsOf(await both(LOG))[0]).toContain('the agent lacks the permission');
  });

  test('files of another format are an error, and not an empty log', async () => {
    write(`shop_web_${UID}`, '{"log":"text"}\n');
    expect(codesOf(await both(LOG))).toEqual([500, 500]);
  });

  describe.each(['http1', 'http2'] as const)('over %s', (version) => {
    const large = ENTRY.repeat(600_000);

    test('ends a log whose reader loses the permission, so that it does not look complete', async () => {
      write(`shop_web_${UID}`, large);
      review = async () => asked.length === 1;
      let isRevoked = false;
      // The reader takes no more until the agent asks again.
      const answer = await agent[version](LOG, {
        onBody: async () => {
          if (isRevoked) return;
          isRevoked = true;
          await clock.advance(60_000);
        },
      });
      expect(answer).toMatchObject({ code: 200, isCut: true });
      expect(answer.body.length).toBeLessThan(600_000 * TEXT.length);
      expect(agent.reports).toEqual([{ code: 'stream-ended', problem: 'denied', cause: undefined }]);
    });

    test('a log that fails halfway does not look complete', async () => {
      const file = write(`shop_web_${UID}`, large);
      let isEmptied = false;
      const answer = await agent[version](LOG, {
        onBody: async () => {
          if (!isEmptied) truncateSync(file);
          isEmptied = true;
        },
      });
      expect(answer).toMatchObject({ code: 200, isCut: true });
      await expect
        .poll(() => agent.reports)
        .toMatchObject([{ code: 'read-failed', isCut: true, error: { because: 'cut' } }]);
    });

    test('a large log arrives whole', async () => {
      write(`shop_web_${UID}`, large);
      const { body, isCut } = await agent[version](LOG);
      expect({ isCut, size: body.length }).toEqual({ isCut: false, size: 600_000 * TEXT.length });
      expect(agent.reports).toEqual([]);
    });

    test('closes the files of a reader who leaves', async () => {
      write(`shop_web_${UID}`, large);
      const before = openFiles();
      await expect(
        agent[version](LOG, {
          onBody: () => Promise.reject(new Error('enough')),
        }),
      ).resolves.toMatchObject({ isCut: true });
      await expect.poll(openFiles).toEqual(before);
      expect(agent.reports).toEqual([]);
    });
  });
});
