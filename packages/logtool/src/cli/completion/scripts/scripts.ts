import type { Shell } from '../shells.ts';
import { BASH } from './bash.ts';
import { FISH } from './fish.ts';
import { POWERSHELL } from './powershell.ts';
import { ZSH } from './zsh.ts';

/** The scripts that make a shell call the program when the user presses Tab. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};
