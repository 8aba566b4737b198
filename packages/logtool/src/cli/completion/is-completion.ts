/** Whether the program was called by a shell (or kubectl) that completes a line, not by a person. */
export function isCompletion(argv: readonly string[]): boolean {
  return /^__complete(?::[a-z]+)?$/.test(argv[0] ?? '');
}
