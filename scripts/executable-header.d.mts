/** The format of an executable and its processor, from its first kilobyte; undefined for what is no executable. */
export function readExecutableHeader(
  bytes: Buffer,
): { readonly format: 'ELF' | 'Mach-O' | 'PE'; readonly machine: 'x64' | 'arm64' | undefined } | undefined;
