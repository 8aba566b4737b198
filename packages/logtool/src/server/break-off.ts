import type { Context } from 'hono';

/**
 * Ends an answer so that its reader sees that it is not whole: the connection is cut, whether or not anything is being
 * read. The adapter's own way, a body that fails, puts words of its own behind what was sent, and an end.
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
