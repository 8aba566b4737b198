import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';
import type { CodePack, PackedModule } from '../cli/cache/code-pack.ts';
import type { HeapLimits } from './heap-limits.ts';

const HEAD = '(function (exports, require, module, __filename, __dirname) {';
const TAIL = '\n})';

interface Module {
  exports: unknown;
}

interface Loaded {
  readonly text: Buffer;
  readonly script: Script;
  readonly module: Module;
}

/** Loads the program's modules, as Node's require does, with the compiled code from `pack` if it has it. */
export class ModuleLoader {
  readonly #folder: string;
  readonly #pack: CodePack;
  readonly #limits: HeapLimits;
  readonly #loaded = new Map<string, Loaded>();
  #isComplete = true;

  constructor(folder: string, pack: CodePack, limits: HeapLimits) {
    this.#folder = folder;
    this.#pack = pack;
    this.#limits = limits;
  }

  /** @throws what the module throws, or what reading its file throws */
  load(name: string): unknown {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known.module.exports;
    const path = join(this.#folder, name);
    const packed = this.#pack.get(name);
    const text = packed?.text ?? readFileSync(path);
    const script = this.#limits.compiling(
      () =>
        new Script(HEAD + text.toString('latin1') + TAIL, {
          filename: path,
          columnOffset: -HEAD.length,
          cachedData: packed?.code,
          importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
        }),
    );
    if (packed === undefined || script.cachedDataRejected === true) this.#isComplete = false;
    const module: Module = { exports: {} };
    this.#loaded.set(name, { text, script, module });
    const node = createRequire(path);
    const require = (id: string) =>
      id.startsWith('./') ? this.load(id.slice(2)) : this.#limits.loadingOfNode(() => node(id));
    script.runInThisContext()(module.exports, require, module, path, this.#folder);
    return module.exports;
  }

  /** Returns everything worth keeping for the next run. Returns undefined if the pack already had it all. */
  pack(): CodePack | undefined {
    if (this.#isComplete) return undefined;
    const pack = new Map<string, PackedModule>(this.#pack);
    for (const [name, { text, script }] of this.#loaded)
      pack.set(name, { text, code: this.#limits.compiling(() => script.createCachedData()) });
    return pack;
  }
}
