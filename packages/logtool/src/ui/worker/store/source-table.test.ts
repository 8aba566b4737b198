import { expect, test } from 'vitest';
import { sourceOf } from '../testing/fake-server.ts';
import { SourceTable } from './source-table.ts';

test('a container whose run becomes known stays one source; its next run is another', () => {
  const table = new SourceTable();
  const at = (run: string) => ({ ...sourceOf('web/a', 0), run, order: `web/a/${run}` });
  const first = table.take(at(''), false);
  expect(table.take(at('run-1'), false)).toBe(first);
  expect(table.take(at('run-2'), false)).not.toBe(first);
  expect(table.take(at('run-1'), false)).toBe(first);
});
