import { addAbortListener } from 'node:events';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { AutocompletePrompt } from '@clack/core';
import type { CliContext, Keyboard, OutputStream } from '../context.ts';
import { wantsColor } from '../output/format/colors.ts';
import { type Choice, matchesTyped } from './choice.ts';
import type { Choices } from './list-choices.ts';
import { pickerFrame } from './picker-frame.ts';

interface PromptOutput {
  /** The prompt writes to this stream. */
  readonly stream: Writable;
  /** Ends the stream. Resolves when the terminal has everything the prompt wrote. */
  end(): Promise<void>;
}

export interface PickOptions {
  readonly keyboard: Keyboard;
  /** Returns the last line, which stays: the command that does the same without a question. */
  readonly commandOf: (sources: readonly string[]) => string;
}

interface Option {
  readonly value: string;
  readonly label: string;
  readonly choice: Choice;
}

/**
 * Asks on standard error which sources to open. Typing filters, Tab selects several, Enter opens those, or
 * the one under the cursor. Undefined if the user left without a choice (Esc, Ctrl-C), or the signal aborted.
 * When it resolves, the picker's whole output is on the terminal.
 */
export async function pickSources(
  context: Pick<CliContext, 'stderr' | 'env' | 'signal'>,
  { choices, notices }: Choices,
  { keyboard, commandOf }: PickOptions,
): Promise<readonly string[] | undefined> {
  const color = wantsColor('auto', context.env, context.stderr);
  const options: Option[] = choices.map((choice) => ({ value: choice.source, label: choice.source, choice }));
  const opened = (): readonly string[] =>
    prompt.selectedValues.length > 0
      ? prompt.selectedValues
      : prompt.focusedValue === undefined
        ? []
        : [prompt.focusedValue];
  // The prompt never stops listening to its signal, so it would write again when the program ends later.
  const asking = new AbortController();
  const ended = addAbortListener(context.signal, () => asking.abort());
  const output = promptOutput(context.stderr, {
    // The terminal wraps the command by itself: with newlines, a pasted command would be two.
    columns: () => (prompt.state === 'submit' ? Number.POSITIVE_INFINITY : context.stderr.columns),
    rows: keyboard.rows(),
  });
  const prompt: AutocompletePrompt<Option> = new AutocompletePrompt<Option>({
    options,
    multiple: true,
    filter: (typed, { choice }) => matchesTyped(typed, choice),
    validate: () => (opened().length === 0 ? 'nothing to open' : undefined),
    input: keyboard.input,
    output: output.stream,
    signal: asking.signal,
    render() {
      if (this.state === 'cancel') return '';
      if (this.state === 'submit') return commandOf(opened());
      return pickerFrame(
        {
          typed: this.userInput,
          matching: this.filteredOptions.map(({ choice }) => choice),
          total: options.length,
          cursor: this.cursor,
          selected: new Set(this.selectedValues),
          notices,
          isEmpty: this.state === 'error',
        },
        { columns: context.stderr.columns, rows: keyboard.rows(), color },
      );
    },
  });
  const answer = await prompt.prompt();
  ended[Symbol.dispose]();
  // The prompt does not wait for its own writes, so later output would appear in between.
  await output.end();
  return typeof answer === 'symbol' ? undefined : opened();
}

/** Adapts an OutputStream for the prompt, with `columns` as its width: the prompt wraps longer lines. */
function promptOutput(
  to: OutputStream,
  screen: { readonly columns: () => number | undefined; readonly rows: number | undefined },
): PromptOutput {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      to.write(chunk).then(() => done(), done);
    },
  });
  Object.defineProperties(stream, {
    columns: { get: screen.columns },
    rows: { value: screen.rows },
  });
  return {
    stream,
    end: () => {
      stream.end();
      return finished(stream);
    },
  };
}
