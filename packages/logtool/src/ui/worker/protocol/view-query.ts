import type { LogQuery } from '../../../contract/log-query.ts';
import type { ViewPlan } from './protocol.ts';

/** Returns what all queries of a view have in common, so that its windows, counts and searches cover the same files. */
export function viewQuery({
  sources,
  readsRotated,
}: Pick<ViewPlan, 'sources' | 'readsRotated'>): Pick<LogQuery, 'sources' | 'rotated'> {
  return { sources: [...sources], ...(readsRotated === true ? { rotated: 'auto' } : {}) };
}
