/** Returns a pattern for a path of the contract: in `/contexts/{context}/logs`, braces match anything but a slash. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
