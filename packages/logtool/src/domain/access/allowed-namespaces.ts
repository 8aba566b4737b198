/**
 * Whether the settings let anybody read logs of a namespace; undefined: of all namespaces at once. An empty list
 * allows every namespace. Whether a person may is another question: both must be answered with yes.
 */
export function isNamespaceAllowed(
  allowedNamespaces: readonly string[],
  namespace: string | undefined,
): boolean {
  if (allowedNamespaces.length === 0) return true;
  return namespace !== undefined && allowedNamespaces.includes(namespace);
}
