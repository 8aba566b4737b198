import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folder } from '../../../../../test/support/connection/kubeconfig-folder.ts';
import { startDashboard } from '../../../../../test/support/server/start-dashboard.ts';
import { listen } from '../node.ts';

const SECRET = 'what lies beside the page';

async function serve(basePath: string) {
  const outside = await folder();
  const uiDirectory = join(outside, 'ui');
  await mkdir(join(uiDirectory, 'assets'), { recursive: true });
  await writeFile(join(outside, 'secret.txt'), SECRET);
  await writeFile(join(uiDirectory, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(uiDirectory, 'assets', 'index-deadbeef.js'), 'script');
  const dashboard = await startDashboard({ uiDirectory, basePath });
  const server = await listen(dashboard.fetch, { host: '127.0.0.1', port: 0, mayMove: false });
  onTestFinished(() => server.close());
  return { port: server.port, secret: join(outside, 'secret.txt') };
}

/** Sends the bytes of the target unchanged: clients normalize addresses before they send them. */
async function get(port: number, target: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`, 'latin1'),
  );
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    answer += chunk;
  });
  await once(socket, 'close');
  return answer;
}

const UP = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '%252e%252e%252f',
  '%25252e%25252e%25252f',
  '..\\',
  '..%5c',
  '%2e%2e%5c',
  '..%255c',
  '....//',
  '..;/',
  '..%c0%af',
  '%c0%ae%c0%ae/',
  '..%u2215',
  '.%00./',
  '/..//',
];

test.each(['', '/logs'])('no target leads out of the page (below %j)', async (basePath) => {
  const { port, secret } = await serve(basePath);
  expect(await get(port, `${basePath}/assets/index-deadbeef.js`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*script$/);
  const targets = UP.flatMap((up) =>
    ['/', '/assets/', '/assets/index-deadbeef.js/'].flatMap((start) =>
      [1, 2, 3].map((depth) => `${basePath}${start}${up.repeat(depth)}secret.txt`),
    ),
  );
  targets.push(
    secret,
    `/${secret}`,
    `${basePath}/${secret}`,
    `${basePath}/assets/${encodeURIComponent(secret)}`,
    `file://${secret}`,
    `http://localhost:${port}/../secret.txt`,
    `${basePath}/assets/index-deadbeef.js%00../../secret.txt`,
    `${basePath}/secret.txt%00.js`,
    `${basePath}/secret.txt\0.js`,
    `${basePath}/..\x5c..\x5csecret.txt`,
    `${basePath}/C:\\secret.txt`,
    `${basePath}/\\\\host\\share\\secret.txt`,
    `${basePath}/assets/index-deadbeef.js::$DATA`,
    `${basePath}/%`,
    `${basePath}/%zz.js`,
    `${basePath}/${'../'.repeat(2_000)}secret.txt`,
  );
  for (const target of targets) {
    const answer = await get(port, target);
    expect(answer, target).not.toContain(SECRET);
    expect(answer, target).toMatch(/^HTTP\/1\.1 (?:200|302|400|403|404|421) /);
    // Every answer is the page itself, or a refusal.
    if (answer.startsWith('HTTP/1.1 200')) expect(answer, target).toContain('<title>page</title>');
  }
});
