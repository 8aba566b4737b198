/** A client certificate and its key, PEM. */
export interface ClientCertificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** What a credential gives one request. The same object is given until the credential changes. */
export interface Grant {
  /** The Authorization header; undefined if there is none. */
  readonly authorization?: string | undefined;
  readonly certificate?: ClientCertificate | undefined;
}

/** One way to prove who the user is. */
export interface Credential {
  /** For the next request; runs and refreshes what is due. Throws CodedError. */
  grant(signal?: AbortSignal): Promise<Grant>;
  /**
   * The server refused `sent` (401). Gets another grant if it can; resolves true when the present one is another
   * than `sent`, so that a retry is worth it.
   */
  renew(sent: Grant, signal?: AbortSignal): Promise<boolean>;
  /** Ends what runs. */
  close(): void;
}

/** A credential that never changes. */
export function fixedCredential(grant: Grant): Credential {
  return { grant: async () => grant, renew: async () => false, close() {} };
}
