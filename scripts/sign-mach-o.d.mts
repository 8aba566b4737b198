/** The executable for macOS with a signature ad hoc in place of the one that it has. Throws on what has none. */
export function signMachO(executable: Buffer, identifier: string): Buffer;
