import { describe, expect, it } from 'vitest';
import { seededRandom } from './random.ts';
import { scriptProgram } from './script.ts';

/** Runs `sh -c script` up to `mostSteps` steps. */
function play(script: string | readonly string[], mostSteps = 10_000, files = new Map<string, string>()) {
  const words = typeof script === 'string' ? ['sh', '-c', script] : script;
  const env = { HOSTNAME: 'pod-1', GREETING: 'grüß' };
  const steps = scriptProgram({ words, env, files, startMs: 1000, random: seededRandom(1) });
  const texts = { stdout: '', stderr: '' };
  for (let n = 0; n < mostSteps; n++) {
    const next = steps.next();
    if (next.done === true) return { ...texts, exit: undefined, atMs: undefined, ended: true };
    const step = next.value;
    if (step.kind === 'exit') return { ...texts, exit: step.code, atMs: Math.round(step.dueMs), ended: true };
    texts[step.stream] += Buffer.from(step.bytes).toString() + (step.newline ? '\n' : '');
  }
  return { ...texts, exit: undefined, atMs: undefined, ended: false };
}

describe('the script of a container', () => {
  it.each([
    ['echo hello; echo bye', 'hello\nbye\n'],
    ['echo -n no newline', 'no newline'],
    ['printf "a\\nb"', 'a\nb'],
    ["printf 'line %03d of %s\\n' 7 nine", 'line 007 of nine\n'],
    ['for i in 1 2 3; do echo "n=$i"; done', 'n=1\nn=2\nn=3\n'],
    ['for i in $(seq 3); do echo $i; done', '1\n2\n3\n'],
    ['i=0; while [ $i -lt 3 ]; do echo line $i; i=$((i+1)); done', 'line 0\nline 1\nline 2\n'],
    ['n=1; until [ $n -gt 2 ]; do echo $n; n=$(($n + 1)); done', '1\n2\n'],
    ['if [ "$HOSTNAME" = pod-1 ]; then echo yes; else echo no; fi', 'yes\n'],
    ['false || echo fallback; true && echo and', 'fallback\nand\n'],
    [`echo $GREETING $\{MISSING:-default}`, 'grüß default\n'],
    ["head -c 5 /dev/zero | tr '\\0' x", 'xxxxx'],
    ['yes abc | head -n 2', 'abc\nabc\n'],
    ['echo \'$HOME\' "quoted $HOSTNAME" back\\ slash', '$HOME quoted pod-1 back slash\n'],
    ['echo one\necho two # comment\n', 'one\ntwo\n'],
    ['while true; do echo x; break; done', 'x\n'],
    ["printf '\\033[31mred\\033[0m\\n'", '\u001b[31mred\u001b[0m\n'],
    ['{ echo a; echo b; } | cat', 'a\nb\n'],
  ])('%s', (script, stdout) => {
    expect(play(script)).toMatchObject({ stdout, stderr: '', exit: 0 });
  });

  it('sends what is redirected to stderr there', () => {
    expect(play('echo out; echo err >&2; (echo both 1>&2)')).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\nboth\n',
    });
  });

  it('ends with the status that exit gives, or that of the last command', () => {
    expect(play('echo dying; exit 7; echo never')).toMatchObject({ stdout: 'dying\n', exit: 7 });
    expect(play('false')).toMatchObject({ exit: 1 });
  });

  it('lets time pass while it sleeps', () => {
    expect(play('sleep 2; sleep 0.5').atMs).toBe(3500);
  });

  it('is silent for ever after sleep infinity', () => {
    expect(play('echo up; sleep infinity')).toMatchObject({ stdout: 'up\n', ended: true, exit: undefined });
  });

  it('gives others a turn in a loop without output or end', () => {
    expect(play('while true; do :; done', 50)).toMatchObject({ ended: false, stdout: '' });
  });

  it('remembers files over the runs of a pod', () => {
    const script = 'if [ -f /s/x ]; then echo second; else touch /s/x; echo first; exit 3; fi';
    const files = new Map<string, string>();
    expect(play(script, 100, files)).toMatchObject({ stdout: 'first\n', exit: 3 });
    expect(play(script, 100, files)).toMatchObject({ stdout: 'second\n', exit: 0 });
  });

  it('runs a plain command without a shell', () => {
    expect(play(['echo', 'a  b', '$x'])).toMatchObject({ stdout: 'a  b $x\n', exit: 0 });
  });

  it('fails as a shell fails at what it does not know', () => {
    expect(play('frobnicate --all')).toMatchObject({ stderr: 'sh: frobnicate: not found\n', exit: 127 });
    expect(play('for in do')).toMatchObject({ exit: 2, stderr: expect.stringContaining('syntax error') });
    expect(play('case $x in a) echo;; esac')).toMatchObject({ exit: 2 });
  });
});
