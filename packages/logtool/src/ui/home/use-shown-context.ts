import { useEffect } from 'react';
import { useShell } from '../app/shell-context.ts';
import type { HomeUrl } from './home-url.ts';

/** The context whose workloads are shown: that of the address, else the current one of the kubeconfig. */
export function useShownContext(
  ctx: string | undefined,
  change: (part: Partial<HomeUrl>) => void,
): string | undefined {
  const { contexts, checkContext } = useShell();
  const context = ctx ?? contexts?.contexts.find(({ isCurrent }) => isCurrent)?.name;
  useEffect(() => {
    // The current context may be another one tomorrow; the link is to mean the same.
    if (ctx === undefined && context !== undefined) change({ ctx: context });
  }, [ctx, context, change]);
  const isChecked = contexts?.contexts.some(({ name, version }) => name === context && version !== undefined);
  useEffect(() => {
    if (context !== undefined && isChecked === false) checkContext(context);
  }, [context, isChecked, checkContext]);
  useEffect(() => {
    document.title = context === undefined ? 'logtool' : `${context} · logtool`;
  }, [context]);
  return context;
}
