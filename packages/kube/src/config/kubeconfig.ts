/** Any value of a JSON document, as in the file. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };
export type PlainObject = { readonly [key: string]: Plain };

/** One named cluster, user or context: its fields as they were written, unknown ones too. */
export interface Entry {
  readonly name: string;
  readonly fields: PlainObject;
  /** The file that it came from: relative paths are relative to its folder, rotated tokens go back into it. */
  readonly file: string;
  /** Path of the fields in the file, for messages: `users[0].user`. */
  readonly path: readonly (string | number)[];
}

/** A kubeconfig, of one file or merged. Maps, so that no name (`__proto__`) is special. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
}

/** The parts of a kubeconfig that one context selects. */
export interface Selected {
  readonly context: string;
  readonly namespace: string;
  readonly cluster: Entry;
  /** Name of the user; empty if the context names none. */
  readonly userName: string;
  /** Absent if the context names no user: requests then go without credentials. */
  readonly user: Entry | undefined;
}
