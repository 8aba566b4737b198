import { expect, test } from 'vitest';
import { recentName, savedName } from './view-names.ts';

test('several sources are named by namespace and name', () => {
  expect(recentName(['shop:deployments/web', 'shop:statefulsets/db'])).toBe('shop: web, db');
  expect(recentName(['a:jobs/x', 'b:jobs/y', 'lonely'])).toBe('a: x · b: y · lonely');
  expect(recentName(['n:pods/1', 'n:pods/2', 'n:pods/3', 'n:pods/4', 'n:pods/5'])).toBe(
    'n: 1, 2, 3 and 2 more',
  );
});

test('a saved view has the name that was typed, without blanks around it', () => {
  expect(savedName('  orders at night ')).toBe('orders at night');
  expect(savedName('   ')).toBeUndefined();
});
