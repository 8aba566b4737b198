/** A word that the cursor's one can become. */
export interface Candidate {
  readonly value: string;
  /** A few words on what it is. */
  readonly meaning?: string | undefined;
}

/** What is offered at the cursor. */
export interface Offer {
  readonly candidates: readonly Candidate[];
  /** The word continues after the offered text: no blank follows. */
  readonly isOpen?: boolean;
  /** The shell offers names of files itself. */
  readonly files?: boolean;
}
