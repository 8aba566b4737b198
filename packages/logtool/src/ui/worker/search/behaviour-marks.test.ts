import { expect, test } from 'vitest';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

test('words are marked in lines that are hits only', async () => {
  const server = new FakeServer();
  const texts = ['deadline exceeded', 'deadline OR 503', 'order 503 failed', 'no'];
  for (const [index, text] of texts.entries())
    server.lines.push({ seconds: 1_800_000_000 + index, nanos: 0, container: 'web/a', text });
  const driver = new SessionDriver(undefined, server);
  await driver.open();
  const search = { only: false, matchCase: false, wholeWord: false, regex: false };
  await driver.send({ type: 'search', plan: { ...search, text: 'deadline OR 503' } });
  const marked = driver.rows().flatMap((row) => (row.kind === 'line' ? [row.hits] : []));
  expect(marked).toEqual([
    [],
    [
      [0, 8],
      [9, 11],
      [12, 15],
    ],
    [],
    [],
  ]);
});
