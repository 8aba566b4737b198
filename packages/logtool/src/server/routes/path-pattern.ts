/** What a path of the contract matches: `/contexts/{context}/logs`, with anything but a slash for what is in braces. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
