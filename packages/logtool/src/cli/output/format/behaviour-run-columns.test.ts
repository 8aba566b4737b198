import { expect, test, vi } from 'vitest';
import { at, record, target } from '../../../../../../test/support/cli/fake-services.ts';
import { restartsOfRun } from '../../../domain/container.ts';
import { makeRun } from '../../../domain/record.ts';
import { ByteBuilder } from './byte-builder.ts';
import type { RecordFormat } from './record-format.ts';
import { createSeparatedFormat } from './separated-format.ts';
import { createTableFormat } from './table-format.ts';
import { createTemplateFormat } from './template-format.ts';
import { createTimeFormat } from './time-format.ts';

/** No column differs between runs yet, so "pod" shows the restart count here. */
vi.mock('../../../domain/columns.ts', async (original) => {
  const columns = await original<typeof import('../../../domain/columns.ts')>();
  const value: ReturnType<typeof columns.columnOf>['value'] = (of, runId) => `${restartsOfRun(of, runId)}`;
  return {
    ...columns,
    columnOf: (name: Parameters<typeof columns.columnOf>[0]) =>
      name === 'pod' ? { ...columns.columnOf(name), value } : columns.columnOf(name),
  };
});

const TARGET = target('web-0', {
  restartCount: 100,
  lastContainerId: 'containerd://old',
  state: { kind: 'running', containerId: 'containerd://new', startedAt: at('2026-11-21T10:00:00Z') },
});

/** Formats a record of the previous run, and one of the current run. */
function rowsOf(format: RecordFormat): readonly string[] {
  const builder = new ByteBuilder();
  format.see(TARGET);
  for (const id of ['containerd://old', 'containerd://new'])
    format.append({ ...record(TARGET, '2026-11-21T10:00:00Z', 'x'), run: makeRun(TARGET, id) }, builder);
  return Buffer.from(builder.take()).toString().trimEnd().split('\n');
}

const COLUMNS = ['pod'] as const;
const time = createTimeFormat('utc');

test('a row of a table reads its cells from the run of the record', () => {
  const options = { header: false, dots: undefined, terminal: false, color: false, highlight: undefined };
  expect(rowsOf(createTableFormat({ ...options, columns: COLUMNS, time }))).toEqual(['99   x', '100  x']);
});

test('a table widens for an earlier run whose value is wider', () => {
  const format = createTableFormat({
    columns: COLUMNS,
    time,
    header: false,
    dots: undefined,
    terminal: false,
    color: false,
    highlight: undefined,
  });
  const builder = new ByteBuilder();
  const row = (restartCount: number, id: string) => {
    const of = { ...TARGET, restartCount };
    format.append({ ...record(of, '2026-11-21T10:00:00Z', 'x'), run: makeRun(of, id) }, builder);
    return Buffer.from(builder.take()).toString();
  };
  expect(row(9, 'containerd://new')).toBe('9    x\n');
  // No event announced this run: a page that begins with an earlier run.
  expect(row(12_346, 'containerd://old')).toBe('12345  x\n');
  expect(row(9, 'containerd://new')).toBe('9      x\n');
});

test('so do separated values and templates', () => {
  const kinds = { kind: 'tsv', columns: COLUMNS, header: false, time, terminal: false } as const;
  expect(rowsOf(createSeparatedFormat(kinds))).toEqual(['99\tx', '100\tx']);
  const tokens = [
    { kind: 'column', column: 'pod' },
    { kind: 'text', text: ' ' },
    { kind: 'message' },
  ] as const;
  const options = { tokens, time, terminal: false, color: false, highlight: undefined };
  expect(rowsOf(createTemplateFormat(options))).toEqual(['99 x', '100 x']);
});
