/** Does something in the next frame of the screen, once however often it is asked for. */
export class NextFrame {
  readonly #onFrame: (run: () => void) => void;
  readonly #run: () => void;
  #isAsked = false;

  constructor(onFrame: (run: () => void) => void, run: () => void) {
    this.#onFrame = onFrame;
    this.#run = run;
  }

  ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#onFrame(() => {
      this.#isAsked = false;
      this.#run();
    });
  }
}
