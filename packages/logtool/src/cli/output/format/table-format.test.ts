import { expect, test } from 'vitest';
import { at, record, target } from '../../../../../../test/support/cli/fake-services.ts';
import type { ColumnName } from '../../../domain/columns.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import { makeRun } from '../../../domain/record.ts';
import { ByteBuilder } from './byte-builder.ts';
import { createTableFormat } from './table-format.ts';
import { createTimeFormat } from './time-format.ts';

/**
 * Returns the header and rows of the containers on a terminal without color; all are known before the first
 * row.
 */
function withoutColor(
  options: { columns?: readonly ColumnName[]; terminal?: boolean },
  ...seen: ContainerTarget[]
) {
  const format = createTableFormat({
    columns: ['timestamp', 'dot'],
    header: true,
    time: createTimeFormat('utc'),
    dots: undefined,
    terminal: true,
    color: false,
    highlight: undefined,
    ...options,
  });
  const builder = new ByteBuilder();
  const row = (of: ContainerTarget) => {
    format.append(record(of, '2026-11-21T10:00:00Z', 'x'), builder);
    return Buffer.from(builder.take()).toString();
  };
  for (const of of seen) format.see(of);
  return { format, row, text: () => (format.header() ?? '') + seen.map(row).join('') };
}

const TIME = '2026-11-21T10:00:00.000000000Z';
const TIMESTAMP = 'TIMESTAMP'.padEnd(TIME.length);

test('rows of a container that was printed already widen, too, when a column grows', () => {
  const format = createTableFormat({
    columns: ['pod', 'node'],
    header: false,
    time: createTimeFormat('utc'),
    dots: undefined,
    terminal: false,
    color: false,
    highlight: undefined,
  });
  const builder = new ByteBuilder();
  const sourceOf = (of: ContainerTarget) => ({ of, source: makeRun(of, 'containerd://1') });
  // All records of a container share a source, as in the engine.
  const db = sourceOf(target('db-0'));
  const wide = sourceOf(target('web-7d9f-abcde', { placement: { node: 'a-wide-node' } }));
  const row = ({ of, source: run }: ReturnType<typeof sourceOf>) => {
    format.append(
      { ...record(of, '2026-11-21T10:00:00Z', 'x'), run, at: at('2026-11-21T10:00:00Z') },
      builder,
    );
    return Buffer.from(builder.take()).toString();
  };
  format.see(db.of);
  expect(row(db)).toBe('db-0  node-a  x\n');
  format.see(wide.of);
  expect(row(db)).toBe('db-0            node-a       x\n');
  expect(row(wide)).toBe('web-7d9f-abcde  a-wide-node  x\n');
});

test('without color a terminal gets the names that distinguish the containers of a merged view', () => {
  const web = target('web-0');
  expect(withoutColor({}, web).text()).toBe(`${TIMESTAMP}  MESSAGE\n${TIME}  x\n`);
  expect(withoutColor({}, web, target('web-10')).text()).toBe(
    `${TIMESTAMP}  POD     MESSAGE\n${TIME}  web-0   x\n${TIME}  web-10  x\n`,
  );
  expect(withoutColor({}, web, target('web-0', { container: 'proxy' })).text()).toBe(
    `${TIMESTAMP}  CONTAINER  MESSAGE\n${TIME}  app        x\n${TIME}  proxy      x\n`,
  );
  expect(withoutColor({}, web, target('db-0', { namespace: 'data', container: 'db' })).text()).toBe(
    `${TIMESTAMP}  NAMESPACE  POD    CONTAINER  MESSAGE\n` +
      `${TIME}  shop       web-0  app        x\n${TIME}  data       db-0   db         x\n`,
  );
});

test('names replace the dots, and none appears twice', () => {
  const seen = [target('web-0'), target('db-0', { container: 'db' })];
  expect(withoutColor({ columns: ['dot', 'pod'] }, ...seen).text()).toBe(
    'CONTAINER  POD    MESSAGE\napp        web-0  x\ndb         db-0   x\n',
  );
  expect(withoutColor({ columns: ['node'] }, ...seen).text()).toBe('NODE    MESSAGE\nnode-a  x\nnode-a  x\n');
});

test('a container that joins a single one later brings the names with it', () => {
  const web = target('web-0');
  const { format, row, text } = withoutColor({}, web);
  expect(text()).toBe(`${TIMESTAMP}  MESSAGE\n${TIME}  x\n`);
  format.see(target('web-1'));
  expect(row(web)).toBe(`${TIME}  web-0  x\n`);
});

test('a pipe gets no names that were not asked for', () => {
  const seen = [target('web-0'), target('web-1')];
  expect(withoutColor({ terminal: false }, ...seen).text()).toBe(
    `${TIMESTAMP}  MESSAGE\n${TIME}  x\n${TIME}  x\n`,
  );
});
