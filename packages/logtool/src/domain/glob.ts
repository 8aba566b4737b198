/**
 * A pattern for names in which `*` matches any run of characters, including none. It has no other wildcard, because a
 * user cannot type any other glob character (`?`, `[`) where logtool expects a name.
 */
export interface Glob {
  readonly text: string;
  /** No `*`: exactly one name matches. */
  readonly literal: boolean;
  /** Just `*`: every name matches. */
  readonly all: boolean;
}

export function makeGlob(text: string): Glob {
  return { text, literal: !text.includes('*'), all: /^\*+$/.test(text) };
}

/** Whether the whole name matches. Linear in the name for each `*`; never backtracks further. */
export function globMatches(glob: Glob, name: string): boolean {
  if (glob.literal) return glob.text === name;
  if (glob.all) return true;
  const pieces = glob.text.split('*');
  const first = pieces[0] ?? '';
  const last = pieces[pieces.length - 1] ?? '';
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
