import type { WireBound } from '../../../contract/log-query.ts';
import type { ViewPlan } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';

/** The lower bound of the held part. Lines at exactly a plain time are held. */
export function heldFrom({ edges: { older } }: HeldLog, plan: ViewPlan): WireBound | undefined {
  if (typeof older === 'string') return plan.from;
  return older.kind === 'strict' ? { ...older, kind: 'inclusive' } : older;
}

/** The upper bound of the held part. Lines at exactly the edge belong to the next page. */
export function heldTo({ edges: { newer } }: HeldLog, plan: ViewPlan): WireBound | undefined {
  if (typeof newer === 'string') return plan.to;
  return newer.kind === 'inclusive' ? { kind: 'strict', at: newer.at } : newer;
}
