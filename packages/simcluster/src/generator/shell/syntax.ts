/** What the parser makes of a script; a small part of the POSIX shell language (pubs.opengroup.org, XCU chapter 2). */
export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly fallback: string | undefined;
      readonly quoted: boolean;
    }
  | { readonly kind: 'arithmetic'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'command'; readonly list: List; readonly quoted: boolean };

export type Word = readonly Part[];

export interface Redirect {
  readonly from: 1 | 2;
  readonly append: boolean;
  readonly target:
    | { readonly kind: 'stream'; readonly to: 1 | 2 }
    | { readonly kind: 'file'; readonly word: Word };
}

export type Command =
  | {
      readonly kind: 'simple';
      readonly assignments: readonly { readonly name: string; readonly value: Word }[];
      readonly words: readonly Word[];
    }
  | { readonly kind: 'for'; readonly name: string; readonly words: readonly Word[]; readonly body: List }
  | { readonly kind: 'while'; readonly until: boolean; readonly condition: List; readonly body: List }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly condition: List; readonly body: List }[];
      readonly otherwise: List | undefined;
    }
  | { readonly kind: 'group'; readonly body: List };

export interface Pipeline {
  readonly negated: boolean;
  readonly commands: readonly { readonly command: Command; readonly redirects: readonly Redirect[] }[];
  /** When this pipeline runs, by the status of the one before it. */
  readonly when: 'always' | 'success' | 'failure';
  readonly background: boolean;
}

export type List = readonly Pipeline[];

/** The script uses something that this interpreter does not know. */
export class ShellSyntaxError extends Error {}
