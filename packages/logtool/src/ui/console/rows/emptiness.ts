import type { WireError } from '../../../contract/error.ts';
import type { ScanStatus, ViewSource } from '../../worker/session/protocol.ts';
import type { ToolProps } from '../session/slots.ts';

/** Why no line is shown. */
export type Emptiness =
  | { readonly kind: 'no-source' }
  | { readonly kind: 'no-context' }
  | { readonly kind: 'trouble'; readonly error: WireError }
  | { readonly kind: 'opening' }
  /** The number of loaded lines, all hidden by the filters, and what is known of the others. */
  | {
      readonly kind: 'filtered';
      readonly lines: number;
      readonly scan: ScanStatus | undefined;
      readonly isAll: boolean;
    }
  | { readonly kind: 'all-failed' }
  | { readonly kind: 'no-container'; readonly sources: readonly string[]; readonly isLive: boolean }
  | { readonly kind: 'no-line'; readonly isLive: boolean; readonly waiting: readonly ViewSource[] };

/** `trouble`: why the server or the cluster does not answer. */
export function emptinessOf(
  { state, url }: Pick<ToolProps, 'state' | 'url'>,
  trouble: WireError | undefined,
): Emptiness {
  const { status, sources, problems } = state;
  if (url.ctx !== '' && url.src.length === 0) return { kind: 'no-source' };
  if (url.ctx === '' || trouble?.code === 'context-not-found') return { kind: 'no-context' };
  if (trouble !== undefined) return { kind: 'trouble', error: trouble };
  if (isOpening(status)) return { kind: 'opening' };
  if (status.lines > 0 || (status.scan?.lines ?? 0) > 0) {
    const { lines, scan, atBeginning, atEnd } = status;
    return { kind: 'filtered', lines, scan, isAll: atBeginning && atEnd };
  }
  const isLive = status.connection.state === 'live';
  if (sources.length === 0) {
    return problems.length > 0 ? { kind: 'all-failed' } : { kind: 'no-container', sources: url.src, isLive };
  }
  const waiting = sources.filter(({ state: phase, isGone }) => !isGone && phase.startsWith('waiting'));
  return { kind: 'no-line', isLive, waiting };
}

function isOpening({ connection, loading }: ToolProps['state']['status']): boolean {
  return connection.state === 'connecting' || loading === 'opening' || loading === 'jumping';
}
