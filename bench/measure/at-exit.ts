const waiting = new Set<() => void>();

process.on('exit', () => {
  for (const undo of waiting) undo();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Has something undone when this program ends, however it does; the returned function says that it has been. */
export function atExit(undo: () => void): () => void {
  waiting.add(undo);
  return () => waiting.delete(undo);
}
