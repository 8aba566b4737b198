/** Any value of the file's JSON or YAML document. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };
export type PlainObject = { readonly [key: string]: Plain };

/** One named cluster, user or context, with all its fields unchanged, including unknown ones. */
export interface Entry {
  readonly name: string;
  readonly fields: PlainObject;
  /** The file that holds the entry: relative paths are relative to its folder, and rotated tokens are saved in it. */
  readonly file: string;
  /** Path of the fields in the file, for messages: `users[0].user`. */
  readonly path: readonly (string | number)[];
}

/** A kubeconfig, from one file or merged. Uses maps, so that no name (`__proto__`) is special. */
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
  /** Undefined if the context names no user: requests then carry no credentials. */
  readonly user: Entry | undefined;
}
