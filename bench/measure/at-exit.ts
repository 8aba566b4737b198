const waiting = new Set<() => void>();

process.on('exit', () => {
  for (const undo of waiting) undo();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Registers an action for when this program ends, in any way; the returned function unregisters it. */
export function atExit(undo: () => void): () => void {
  waiting.add(undo);
  return () => waiting.delete(undo);
}
