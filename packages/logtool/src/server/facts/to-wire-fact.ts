import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { z } from 'zod';
import type { WireFact } from '../../contract/facts.ts';
import type { CodedNotice } from '../../contract/notices.ts';
import type { Fact } from '../../domain/facts/fact.ts';
import type { FactsFrame } from '../../happenings/read-facts.ts';
import { toWireError } from '../to-wire-error.ts';

/** Converts a fact to the contract. */
export function toWireFact(fact: Fact): WireFact {
  const { at, until, since } = fact;
  return {
    ...fact,
    at: formatTimestamp(at),
    until: until && formatTimestamp(until),
    since: since && formatTimestamp(since),
  };
}

/** Converts a notice about facts or their sources to the contract, for query `q`. */
export function toWireNotice(
  { cause, ...notice }: Extract<FactsFrame, { readonly type: 'notice' }>,
  q: number,
): z.infer<typeof CodedNotice> {
  return { ...notice, q, cause: cause && toWireError(cause) };
}
