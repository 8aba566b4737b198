import { expect, test } from 'vitest';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

async function fieldsOf(...texts: string[]) {
  const server = new FakeServer();
  for (const [index, text] of texts.entries())
    server.lines.push({ seconds: 1_800_000_000 + index, nanos: 0, container: 'web/a', text });
  const driver = new SessionDriver(undefined, server);
  await driver.open();
  await driver.clock.advance(1_000);
  await driver.settle();
  const { fields, fieldsOf: examined } = driver.last('facets').facets;
  return { fields: Object.fromEntries(fields), examined };
}

test('fields are those of lines of all formats, each counted once a line', async () => {
  expect(
    await fieldsOf(
      '{"level":"info","req":{"route":"/cart"}}',
      'level=error msg="no answer" route=/cart route=/pay',
      'I1121 10:00:00.123456 7 main.go:12] "Sync" pod="web-1"',
      'plain words',
    ),
  ).toEqual({
    fields: { level: 2, 'req.route': 1, msg: 1, route: 1, thread: 1, caller: 1, pod: 1 },
    examined: 4,
  });
});

test('a text with colors has no fields, as no column shows them', async () => {
  expect(await fieldsOf('\u001b[32mlevel=info\u001b[0m route=/cart')).toEqual({ fields: {}, examined: 1 });
});

test('parses fewer of the long lines, and reports how many', async () => {
  const long = (index: number) => `n=${index} text="${'x'.repeat(30_000)}"`;
  const { fields, examined } = await fieldsOf(...Array.from({ length: 100 }, (_, index) => long(index)));
  expect(examined).toBeLessThan(25);
  expect(fields).toEqual({ n: examined, text: examined });
});
