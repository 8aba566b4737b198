/** One value of a file before it is checked, with the place where it stands. */
export interface ConfigEntry {
  readonly path: string;
  /** Text, number, boolean, null, a list of these; a section that is no leaf of the schema comes in its parts. */
  readonly value: unknown;
  readonly line: number | undefined;
}

/** What is wrong with the text of a file as such. */
export class ConfigSyntaxError extends Error {
  readonly line: number | undefined;

  constructor(message: string, line: number | undefined) {
    super(message);
    this.name = 'ConfigSyntaxError';
    this.line = line;
  }
}
