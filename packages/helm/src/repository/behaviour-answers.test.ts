import type { ServerResponse } from 'node:http';
import { type Clock, FakeClock } from '@logtool/kube/src/values/clock.ts';
import { describe, expect, it } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { makeHome } from '../../test/support/home.ts';
import {
  type Handler,
  redirectTo,
  repositoryFiles,
  startRepository,
} from '../../test/support/repository-server.ts';
import type { Outage } from '../failures.ts';

const FILES = repositoryFiles('logtool', ['0.1.0', '0.2.0', '0.3.0-rc.1']);
const INDEX = String(FILES['/index.yaml']);
const ADA = { username: 'ada', password: 's3cret' };

/** The failure that no index arrived; the address has the port of a test server. */
const noIndex = (outage: Outage) =>
  helmFailed('repository-unreachable', {
    of: { kind: 'index', name: 'logtool' },
    address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/index\.yaml$/),
    outage,
  });

describe('answers', () => {
  const failing = async (handler: Handler) => {
    await using server = await startRepository({ '/index.yaml': handler });
    await using home = await makeHome();
    return await home.repositories.add({ name: 'logtool', url: server.url });
  };

  it('that stop before their end are refused', async () => {
    const cut = noIndex({ problem: 'cut' });
    const half = INDEX.slice(0, INDEX.length / 2);
    await expect(
      failing((_request, response) => {
        response.writeHead(200, { 'Content-Length': INDEX.length });
        response.write(half, () => response.destroy());
      }),
    ).rejects.toEqual(cut);
    await expect(
      failing((_request, response) => {
        response.write(half, () => response.destroy());
      }),
    ).rejects.toEqual(cut);
  });

  it('of more than 50 MiB are refused by their announcement, and while they come', async () => {
    const tooLarge = noIndex({ problem: 'too-large', limitMiB: 50 });
    await expect(
      failing((_request, response) => {
        response.writeHead(200, { 'Content-Length': 50 * 1024 * 1024 + 1 });
        response.write('a');
      }),
    ).rejects.toEqual(tooLarge);
    let sentBytes = 0;
    await expect(
      failing((_request, response) => {
        const chunk = Buffer.alloc(1024 * 1024, '#');
        const more = () => {
          sentBytes += chunk.length;
          response.write(chunk, (error) => {
            if (!error) more();
          });
        };
        more();
      }),
    ).rejects.toEqual(tooLarge);
    expect(sentBytes).toBeGreaterThan(50 * 1024 * 1024);
  });

  it('of servers that send forever are given up', async () => {
    let asked = 0;
    const round: Handler = (request, response) => {
      asked++;
      redirectTo('/index.yaml')(request, response);
    };
    await expect(failing(round)).rejects.toEqual(noIndex({ problem: 'redirects', max: 10 }));
    expect(asked).toBe(11);
    await expect(failing(redirectTo('file:///etc/passwd'))).rejects.toEqual(
      helmFailed('repository-address-unsupported', {
        of: { kind: 'index', name: 'logtool' },
        problem: 'scheme',
      }),
    );
  });

  it.each([
    ['before it answers', false],
    ['in the middle', true],
  ])('of a server that falls silent %s are given up after 30 s of silence', async (_when, begins) => {
    const clock = new FakeClock();
    await using home = await makeHome();
    let markAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      markAsked = resolve;
    });
    await using server = await startRepository({
      '/index.yaml': (_request, response) => {
        if (begins) response.write('apiVersion: v1\n', markAsked);
        else markAsked();
      },
    });
    const added = home.open({ clock }).add({ name: 'logtool', url: server.url });
    const outcome = added.catch((error: unknown) => error);
    await asked;
    let settled = false;
    void outcome.then(() => {
      settled = true;
    });
    // Sent data may still be in transit: then the silence begins a little later.
    while (!settled) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(1000);
    }
    expect(await outcome).toEqual(noIndex({ problem: 'silent', afterMs: 30_000 }));
    expect(clock.pending).toBe(0);
  });

  it('that come in drops without an end are given up after 10 minutes', async () => {
    const fake = new FakeClock();
    let armed = 0;
    // Each drop that arrives restarts the silence.
    const clock: Clock = {
      now: () => fake.now(),
      steady: () => fake.steady(),
      after(delayMs, callback) {
        if (delayMs === 30_000) armed++;
        return fake.after(delayMs, callback);
      },
    };
    await using home = await makeHome();
    let tap: ServerResponse | undefined;
    await using server = await startRepository({
      '/index.yaml': (_request, response) => {
        tap = response;
        response.flushHeaders();
      },
    });
    let settled = false;
    const outcome = home
      .open({ clock })
      .add({ name: 'logtool', url: server.url })
      .catch((error: unknown) => error)
      .finally(() => {
        settled = true;
      });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    while (armed < 2 && !settled) await turn();
    while (!settled) {
      const before = armed;
      tap?.write('#\n');
      while (armed === before && !settled) await turn();
      await fake.advance(29_000);
    }
    expect(await outcome).toEqual(noIndex({ problem: 'unfinished', afterMs: 600_000 }));
    expect(armed).toBeGreaterThan(20);
  });

  it('are not waited for once the signal is aborted', async () => {
    const controller = new AbortController();
    await using home = await makeHome();
    await using server = await startRepository({ '/index.yaml': () => controller.abort(new Error('stop')) });
    const repositories = home.open({ signal: controller.signal });
    await expect(repositories.add({ name: 'logtool', url: server.url })).rejects.toThrow('stop');
  });
});

describe('a proxy of the environment', () => {
  it('is asked for http addresses itself, and keeps its password apart from that of the repository', async () => {
    await using home = await makeHome();
    const seen: (string | undefined)[][] = [];
    await using proxy = await startRepository({
      'http://charts.example/a/index.yaml': (request, response) => {
        const { host, authorization } = request.headers;
        seen.push([host, authorization, request.headers['proxy-authorization']]);
        response.end(INDEX);
      },
    });
    const env = { HTTP_PROXY: proxy.url.replace('//', '//eve:x@') };
    await home.open({ env }).add({ name: 'logtool', url: 'http://charts.example/a', ...ADA });
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    expect(seen).toEqual([['charts.example', basic('ada:s3cret'), basic('eve:x')]]);
  });
});
