import type { Context } from 'hono';

/**
 * Ends an answer so that its reader sees that it is incomplete: closes the connection, whether or not anyone is
 * reading. The adapter's own way, a failing body, appends its own text and a clean end.
 */
export function breakOff(
  context: Pick<Context, 'env'>,
  controller: ReadableStreamDefaultController | undefined,
  error: unknown,
): void {
  const { outgoing } = (context.env ?? {}) as { readonly outgoing?: { destroy(): void } };
  if (outgoing === undefined) controller?.error(error);
  else outgoing.destroy();
}
