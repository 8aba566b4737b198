import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { Redactor } from '../../../domain/redact/redactor.ts';
import { byteLength, clipMarked, marked } from './clip.ts';

/** Masks secrets, cuts texts, and records both. */
export class Cleaner {
  readonly kinds: string[] = [];
  hasCut = false;
  readonly maxBytes: number;
  readonly redactor: Redactor | undefined;

  constructor(redacts: boolean, maxBytes: number) {
    this.redactor = redacts ? new Redactor() : undefined;
    this.maxBytes = maxBytes;
  }

  clean(text: string): string {
    const plain = sanitizeText(text);
    const { text: masked, kinds } = this.redactor?.redact(plain, undefined, this.maxBytes) ?? {
      text: plain,
      kinds: [],
    };
    // The redactor returns no more than this of a longer text.
    const isCut = plain.length > this.maxBytes || byteLength(masked) > this.maxBytes;
    this.note(kinds, isCut);
    return isCut ? clipMarked(marked(masked), this.maxBytes) : masked;
  }

  note(kinds: readonly string[], isCut: boolean): void {
    this.kinds.push(...kinds);
    this.hasCut ||= isCut;
  }
}
