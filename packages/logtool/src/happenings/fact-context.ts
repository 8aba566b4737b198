import type { KubeClient } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Fact } from '../domain/facts/fact.ts';
import type { FactNotices } from '../domain/notice.ts';
import type { Scope } from './scope.ts';

/** What the readers of facts share. */
export interface FactContext {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  readonly follow: boolean;
  readonly scope: Scope;
  readonly give: (facts: readonly Fact[]) => void;
  readonly notice: (notice: FactNotice) => void;
  /** Resolves when the consumer has taken enough facts to accept more. */
  readonly room: () => Promise<void>;
}

export type FactNotice = {
  [C in keyof FactNotices]: { readonly code: C; readonly data: FactNotices[C]; readonly cause?: CodedError };
}[keyof FactNotices];

/** Reports an unreadable source of facts; the others continue. Throws errors on this side. */
export function reportUnreadable(
  { client, signal, notice }: FactContext,
  of: FactNotices['facts-unreadable']['of'],
  namespace: string | undefined,
  error: unknown,
): void {
  if (signal.aborted) return;
  const cause = describeKubeError(error, client.cluster);
  const code = isKubeError(error, 'forbidden') ? 'facts-forbidden' : 'facts-unreadable';
  notice({ code, data: { of, namespace }, cause });
}
