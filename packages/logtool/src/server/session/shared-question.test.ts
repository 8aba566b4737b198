import { expect, test } from 'vitest';
import { SharedQuestion } from './shared-question.ts';

function ask() {
  const over: string[] = [];
  const question = new SharedQuestion<string>(
    (gone) => new Promise((_, reject) => gone.addEventListener('abort', () => reject(gone.reason))),
    () => over.push('over'),
  );
  return { question, over };
}

test('a question continues until the last request that waits for it has gone', async () => {
  const { question, over } = ask();
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [question.join(first.signal), question.join(second.signal)];
  first.abort(new Error('first is gone'));
  expect(over).toEqual([]);
  second.abort(new Error('second is gone'));
  expect(over).toEqual(['over']);
  for (const answer of answers) await expect(answer).rejects.toThrow('second is gone');
});

test('a request that is gone before it asks keeps no question', async () => {
  const { question, over } = ask();
  await expect(question.join(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(over.length).toBeGreaterThan(0);
});

test('all who wait get the one answer', async () => {
  const question = new SharedQuestion(
    async () => 'ann',
    () => undefined,
  );
  const { signal } = new AbortController();
  expect(await Promise.all([question.join(signal), question.join(signal)])).toEqual(['ann', 'ann']);
});
