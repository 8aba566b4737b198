/** One unchecked value of a file, with its line. */
export interface ConfigEntry {
  readonly path: string;
  /**
   * Text, number, boolean, null, or a list of these; a section that is not a leaf of the schema is split into
   * its parts.
   */
  readonly value: unknown;
  readonly line: number | undefined;
}

/** A syntax error in a file. */
export class ConfigSyntaxError extends Error {
  readonly line: number | undefined;

  constructor(message: string, line: number | undefined) {
    super(message);
    this.name = 'ConfigSyntaxError';
    this.line = line;
  }
}
