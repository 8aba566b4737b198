/** How often in a row a log said that it is empty, at its end. */
export class EmptyEnds {
  #count = 0;

  /**
   * What one more of them means. A log without lines is believed at the second time, one that had some at the third:
   * it was rotated. `hasRest`: the answer ended with a line without its end, so the log is not empty.
   */
  meaning(hadLines: boolean, hasRest: boolean): 'unsure' | 'empty' | 'rotated' {
    this.#count++;
    if (hasRest || this.#count < (hadLines ? 3 : 2)) return 'unsure';
    return hadLines ? 'rotated' : 'empty';
  }
}
