/** Whether a shell (or kubectl) called the program to complete a line. */
export function isCompletion(argv: readonly string[]): boolean {
  return /^__complete(?::[a-z]+)?$/.test(argv[0] ?? '');
}
