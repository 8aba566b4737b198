/** Returns the format and the processor of an executable, from its first kilobyte; undefined for other files. */
export function readExecutableHeader(
  bytes: Buffer,
): { readonly format: 'ELF' | 'Mach-O' | 'PE'; readonly machine: 'x64' | 'arm64' | undefined } | undefined;
