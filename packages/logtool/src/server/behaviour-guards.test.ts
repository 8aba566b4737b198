import { describe, expect, test } from 'vitest';
import { enteredBy, headersOf } from '../../../../test/support/server/signed-in.ts';
import {
  codeOf,
  HOST,
  ORIGIN,
  startDashboard,
  type TestDashboard,
} from '../../../../test/support/server/start-dashboard.ts';
import { ROUTES } from '../contract/routes.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  /** From the OpenAPI document: it changes something, or it streams. */
  readonly takesToken: 'header' | 'query' | 'none';
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}
interface OperationObject {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

async function operationsOf(
  dashboard: TestDashboard,
  headers: Record<string, string> = {},
): Promise<Operation[]> {
  const answer = await dashboard.ask('/api/v1/openapi.json', { headers });
  const { paths } = (await answer.json()) as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const inQuery = operation.parameters?.some(
        ({ name, in: location }) => name === 'token' && location === 'query',
      );
      const streams = 'application/x-ndjson' in (operation.responses['200']?.content ?? {});
      const changes = method !== 'get' && path !== '/sign-in';
      return {
        method: method.toUpperCase(),
        path: `/api/v1${path.replace('{context}', 'here')}`,
        takesToken: inQuery ? 'query' : streams || changes ? 'header' : 'none',
      };
    }),
  );
  return [...operations, { method: 'GET', path: '/api/v1/openapi.json', takesToken: 'none' }];
}

/** Refuses everything from other servers; omits no directive that would allow more. */
const POLICY = new Set([
  "default-src 'none'",
  ...['script', 'style', 'img', 'font', 'connect', 'worker', 'manifest'].map((what) => `${what}-src 'self'`),
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]);

const HEALTH: Operation = { method: 'GET', path: '/healthz', takesToken: 'none' };

const OTHERS: readonly Operation[] = ['/', '/index.html', '/assets/index-abcdefgh.js', '/console'].map(
  (path) => ({ method: 'GET', path, takesToken: 'none' }),
);

const bodyOf = (method: string) =>
  method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : { headers: {} };

/** Sends requests for an operation, with these headers in addition to the required ones. */
function asker(dashboard: TestDashboard, cookie: Record<string, string> = {}) {
  return ({ method, path }: Operation, headers: Record<string, string> = {}) => {
    const given = bodyOf(method);
    return dashboard.ask(path, { method, ...given, headers: { ...given.headers, ...cookie, ...headers } });
  };
}

test('the document describes every route of the contract', async () => {
  const operations = await operationsOf(await startDashboard());
  const described = operations.map(({ method, path }) => `${method} ${path}`);
  for (const { method, path } of Object.values(ROUTES)) {
    expect(described).toContain(`${method.toUpperCase()} /api/v1${path.replace('{context}', 'here')}`);
  }
});

describe('every route and every file', async () => {
  test.each([
    'attacker.example',
    'attacker.example:7500',
    'localhost.attacker.example',
    '203.0.113.77:7500',
    '',
  ])('refuses the host %j', async (host) => {
    const dashboard = await startDashboard();
    // Only the probes' path reports to any client that the server is up, and nothing else.
    const health = await asker(dashboard)(HEALTH, { host });
    expect([health.status, await health.text()]).toEqual([200, 'ok']);
    for (const operation of [...(await operationsOf(dashboard)), ...OTHERS]) {
      const answer = await asker(dashboard)(operation, { host });
      expect([operation.path, answer.status, await codeOf(answer)]).toEqual([
        operation.path,
        421,
        'foreign-host',
      ]);
    }
  });

  test('explains a refused host to a browser in a page, and to programs in JSON', async () => {
    const dashboard = await startDashboard();
    const refused = (accept: string, host = 'logs.example.com') =>
      dashboard.ask('/', { headers: { host, accept } });
    const shown = await refused('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([shown.status, shown.headers.get('content-type')]).toEqual([421, 'text/html; charset=UTF-8']);
    const page = await shown.text();
    expect(page).toContain('does not answer to the host &#34;logs.example.com&#34;');
    expect(page).toContain('--allowed-host NAME');
    expect(page).not.toMatch(/src=|href=/);
    const hostile = await (await refused('text/html', '<script>alert(1)</script>')).text();
    expect(hostile).not.toContain('<script');
    for (const accept of ['application/json', '*/*', ''])
      expect(await codeOf(await refused(accept))).toBe('foreign-host');
  });

  test.each(['http://attacker.example', 'null', 'http://localhost:3000', 'https://localhost', 'file://'])(
    'refuses the origin %j',
    async (origin) => {
      const dashboard = await startDashboard();
      const token = await dashboard.pageToken();
      for (const operation of [...(await operationsOf(dashboard)), ...OTHERS, HEALTH]) {
        const answer = await asker(dashboard)(operation, { origin, 'x-logtool-token': token });
        expect([operation.path, answer.status, await codeOf(answer)]).toEqual([
          operation.path,
          403,
          'foreign-origin',
        ]);
      }
    },
  );

  test.each(['cross-site', 'same-site'])('refuses what a page of another site fetches (%s)', async (site) => {
    const dashboard = await startDashboard();
    const token = await dashboard.pageToken();
    for (const operation of [...(await operationsOf(dashboard)), ...OTHERS, HEALTH]) {
      const answer = await asker(dashboard)(operation, {
        'sec-fetch-site': site,
        'sec-fetch-mode': 'no-cors',
        'x-logtool-token': token,
      });
      expect([operation.path, await codeOf(answer)]).toEqual([operation.path, 'foreign-origin']);
    }
  });

  test('carries the headers that keep the page to itself, refusals included', async () => {
    const dashboard = await startDashboard();
    for (const operation of [...(await operationsOf(dashboard)), ...OTHERS, HEALTH]) {
      for (const headers of [{}, { host: 'attacker.example' }]) {
        // Streams would begin with a token: without it, the test checks refusals.
        const { headers: got } = await asker(dashboard)(operation, headers);
        expect(new Set(got.get('content-security-policy')?.split('; '))).toEqual(POLICY);
        expect(got.get('x-content-type-options')).toBe('nosniff');
        expect(got.get('referrer-policy')).toBe('no-referrer');
        expect(got.get('access-control-allow-origin')).toBeNull();
        expect(got.get('cache-control')).not.toBeNull();
      }
    }
  });
});

test('below a path probes are answered there too', async () => {
  const dashboard = await startDashboard({ basePath: '/logs' });
  for (const path of ['/healthz', '/logs/healthz']) {
    const answer = await dashboard.ask(path, { headers: { host: '10.1.2.3:7500' } });
    expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
  }
});

test('a link of another site leads to the page, but not to the API', async () => {
  const dashboard = await startDashboard();
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect(await codeOf(await dashboard.ask('/console', { headers: link }))).toBe('page-not-built');
  for (const operation of await operationsOf(dashboard)) {
    if (operation.method !== 'GET') continue;
    expect([operation.path, await codeOf(await asker(dashboard)(operation, link))]).toEqual([
      operation.path,
      'foreign-origin',
    ]);
  }
});

describe('the page token', () => {
  test.each([undefined, '', 'guessed', 'é'])(
    'is asked for by all that changes or streams: %j',
    async (token) => {
      const dashboard = await startDashboard();
      const operations = (await operationsOf(dashboard)).filter(({ takesToken }) => takesToken !== 'none');
      expect(operations.length).toBeGreaterThanOrEqual(2);
      for (const operation of operations) {
        const query = operation.takesToken === 'query' && token !== undefined ? `?token=${token}` : '';
        const headers = token === undefined || token === 'é' ? {} : { 'x-logtool-token': token };
        const answer = await asker(dashboard)({ ...operation, path: operation.path + query }, headers);
        expect([operation.path, answer.status, await codeOf(answer)]).toEqual([
          operation.path,
          403,
          'page-token',
        ]);
      }
    },
  );

  test('is asked for however the address is written', async () => {
    const dashboard = await startDashboard();
    const operations = (await operationsOf(dashboard)).filter(({ takesToken }) => takesToken !== 'none');
    for (const operation of operations) {
      const path = operation.path.replace(
        /[a-z](?=[a-z-]*$)/g,
        (letter) => `%${letter.charCodeAt(0).toString(16)}`,
      );
      const answer = await asker(dashboard)({ ...operation, path });
      expect([path, answer.status, await codeOf(answer)]).toEqual([path, 403, 'page-token']);
    }
  });

  test('is not asked for by what only reads', async () => {
    const dashboard = await startDashboard();
    const { token } = (await (await dashboard.ask('/api/v1/token')).json()) as { token: string };
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await dashboard.ask('/api/v1/info')).status).toBe(200);
  });

  test('refuses it to a person who types the address, and to another site', async () => {
    const dashboard = await startDashboard();
    for (const site of ['none', 'same-site', 'cross-site']) {
      const answer = await dashboard.ask('/api/v1/token', { headers: { 'sec-fetch-site': site } });
      expect(await codeOf(answer)).toBe('foreign-origin');
    }
    const own = { headers: { 'sec-fetch-site': 'same-origin', origin: ORIGIN } };
    expect((await dashboard.ask('/api/v1/token', own)).status).toBe(200);
  });

  test('in the header does not stand for the one in the address of a download', async () => {
    const dashboard = await startDashboard();
    const headers = { 'x-logtool-token': await dashboard.pageToken() };
    const answer = await dashboard.ask('/api/v1/contexts/here/logs/download?format=text&query={}', {
      headers,
    });
    expect(await codeOf(answer)).toBe('page-token');
  });
});

test('without a session every route is refused but those for signing in', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  const who = enteredBy(await dashboard.ask(dashboard.entry));
  const { cookie } = who;
  const page = headersOf(who);
  const operations = await operationsOf(dashboard, page);
  const open = ['/api/v1/healthz', '/api/v1/sign-in'];
  for (const operation of operations.filter(({ path }) => !open.includes(path))) {
    const forged = 'logtool-session-7500=forged';
    for (const headers of [{}, { cookie }, { ...page, cookie: forged }, { ...page, cookie: `${cookie}x` }]) {
      const answer = await asker(dashboard)(operation, headers as Record<string, string>);
      expect([operation.path, answer.status, await codeOf(answer)]).toEqual([
        operation.path,
        401,
        'not-signed-in',
      ]);
    }
  }
  expect((await dashboard.ask('/api/v1/healthz')).status).toBe(200);
});

test('the API takes no HEAD: the framework would run a stream for nobody', async () => {
  const dashboard = await startDashboard();
  for (const { path } of await operationsOf(dashboard)) {
    expect((await dashboard.ask(path, { method: 'HEAD' })).status).toBe(405);
  }
  expect((await dashboard.ask('/healthz', { method: 'HEAD' })).status).toBe(200);
});

test('other names are allowed when they are named', async () => {
  const dashboard = await startDashboard({ allowedHosts: ['logs.example.com', 'other.example:8443'] });
  const statusOf = async (headers: Record<string, string>) =>
    (await dashboard.ask('/api/v1/info', { headers })).status;
  expect(await statusOf({ host: 'logs.example.com' })).toBe(200);
  expect(await statusOf({ host: 'LOGS.example.com.:80' })).toBe(200);
  expect(await statusOf({ host: 'other.example:8443' })).toBe(200);
  expect(await statusOf({ host: 'other.example' })).toBe(421);
  // A proxy that rewrites the host leaves the origin unchanged.
  expect(await statusOf({ host: HOST, origin: 'https://logs.example.com' })).toBe(200);
  expect(await statusOf({ host: HOST, origin: 'https://logs.example.com:3000' })).toBe(403);
  expect(await statusOf({ host: HOST, origin: 'https://other.example' })).toBe(403);
});

test("behind a proxy that ends TLS, the page is served as https: by the proxy's header, or the browser's own", async () => {
  const dashboard = await startDashboard();
  const statusOf = async (headers: Record<string, string>) =>
    (await dashboard.ask('/api/v1/info', { headers })).status;
  const page = { host: 'localhost:8443', origin: 'https://localhost:8443' };
  expect(await statusOf(page)).toBe(403);
  expect(await statusOf({ ...page, 'x-forwarded-proto': 'https' })).toBe(200);
  expect(await statusOf({ ...page, 'x-forwarded-proto': 'https, http' })).toBe(200);
  expect(await statusOf({ ...page, 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await statusOf({ ...page, origin: 'https://localhost', 'sec-fetch-site': 'same-origin' })).toBe(403);
  expect(await statusOf({ ...page, origin: 'http://localhost:8443', 'x-forwarded-proto': 'https' })).toBe(
    403,
  );
});
