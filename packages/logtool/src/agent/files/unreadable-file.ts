/**
 * Why a file that exists is not read: it is a link, which may lead anywhere; no regular file; closed to this process;
 * cut shorter than it was while it was read; or compressed and damaged.
 */
export type UnreadableBecause = 'link' | 'not-regular' | 'not-permitted' | 'cut' | 'damaged';

/** A file of a container that exists and cannot be read; never the same as one that does not exist. */
export class UnreadableFile extends Error {
  readonly file: string;
  readonly because: UnreadableBecause;

  constructor(file: string, because: UnreadableBecause, options?: ErrorOptions) {
    super(`${file}: ${because}`, options);
    this.name = 'UnreadableFile';
    this.file = file;
    this.because = because;
  }
}
