/** A client certificate and its key, PEM. */
export interface ClientCertificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** What a credential adds to one request. `grant` returns the same object until the credential changes. */
export interface Grant {
  /** The Authorization header, if any. */
  readonly authorization?: string | undefined;
  readonly certificate?: ClientCertificate | undefined;
}

/** One way to prove the user's identity. */
export interface Credential {
  /** Returns the grant for the next request; runs plugins and refreshes tokens that are due. Throws CodedError. */
  grant(signal?: AbortSignal): Promise<Grant>;
  /**
   * Call after the server rejected `sent` (401). Gets another grant if possible; resolves true if the current grant
   * differs from `sent`, so that a retry makes sense.
   */
  renew(sent: Grant, signal?: AbortSignal): Promise<boolean>;
  /** Ends running plugins and refreshes. */
  close(): void;
}

/** A credential that never changes. */
export function fixedCredential(grant: Grant): Credential {
  return { grant: async () => grant, renew: async () => false, close() {} };
}
