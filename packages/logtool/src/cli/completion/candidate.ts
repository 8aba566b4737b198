/** A word that the word at the cursor can become. */
export interface Candidate {
  readonly value: string;
  /** A short description. */
  readonly meaning?: string | undefined;
}

/** What the shell offers at the cursor. */
export interface Offer {
  readonly candidates: readonly Candidate[];
  /** The word continues after the offered text: no space follows. */
  readonly isOpen?: boolean;
  /** The shell itself offers file names. */
  readonly files?: boolean;
}
