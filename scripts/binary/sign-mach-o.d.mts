/** Returns the executable for macOS with an ad hoc signature instead of its own. Throws if it has none. */
export function signMachO(executable: Buffer, identifier: string): Buffer;
