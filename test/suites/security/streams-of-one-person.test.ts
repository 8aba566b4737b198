import { expect, onTestFinished, test } from 'vitest';
import { WAITING } from '../../support/server/good-requests.ts';
import { type SignedIn, send, signIn } from '../../support/server/signed-in.ts';
import { codeOf, startDashboard } from '../../support/server/start-dashboard.ts';
import { sendJson, startScriptedServer } from '../../support/tls-server/scripted-server.ts';

/** Starts a dashboard on an API server where each token belongs to the user it names. */
async function serve() {
  const server = await startScriptedServer((request, response) =>
    sendJson(response, 201, {
      status: { userInfo: { username: request.headers.authorization?.replace(/^Bearer (\w+)-.*/, '$1') } },
    }),
  );
  onTestFinished(() => server.close());
  const context = {
    name: 'here',
    server: server.url.href,
    token: 'own-account',
    ca: server.certificate.cert,
  };
  return startDashboard({ auth: 'kubernetes', contexts: [context] });
}

test('one person who signs in 17 times, with several tokens, leaves streams for everybody else', async () => {
  const dashboard = await serve();
  const answers: Promise<Response>[] = [];
  let refusals = 0;
  const open = (who: SignedIn) => {
    const answer = send(dashboard, WAITING, who);
    answers.push(answer);
    void answer.then(({ status }) => {
      if (status === 429) refusals++;
    });
    return answer;
  };
  for (let session = 0; session < 17; session++) {
    const ann = await signIn(dashboard, `ann-token-${session % 3}`);
    for (let stream = 0; stream < 64; stream++) open(ann);
  }
  while (dashboard.streams.count + refusals < 17 * 64) await new Promise((resolve) => setImmediate(resolve));
  const bob = await signIn(dashboard, 'bob-token');
  const bobs = Array.from({ length: 16 }, () => open(bob));
  while (dashboard.streams.count + refusals < 17 * 64 + 16)
    await new Promise((resolve) => setImmediate(resolve));
  dashboard.endStreams('shutdown');
  expect((await Promise.all(bobs)).map(({ status }) => status)).toEqual(Array(16).fill(200));
  const refused = (await Promise.all(answers)).filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(17 * 64 - 128);
  expect(new Set(await Promise.all(refused.map(codeOf)))).toEqual(new Set(['too-many-streams']));
});
