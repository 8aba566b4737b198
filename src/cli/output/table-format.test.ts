import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../domain/container.ts';
import { makeSource } from '../../domain/record.ts';
import { at, record, target } from '../testing/fake-parts.ts';
import { ByteBuilder } from './byte-builder.ts';
import { createTableFormat } from './table-format.ts';
import { createTimeFormat } from './time-format.ts';

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
  const sourceOf = (of: ContainerTarget) => ({ of, source: makeSource(of, 'containerd://1') });
  // The same source for all records of a container, as the engine has it.
  const db = sourceOf(target('db-0'));
  const wide = sourceOf(target('web-7d9f-abcde', { placement: { node: 'a-wide-node' } }));
  const row = ({ of, source }: ReturnType<typeof sourceOf>) => {
    format.append(
      { ...record(of, '2026-11-21T10:00:00Z', 'x'), source, at: at('2026-11-21T10:00:00Z') },
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
