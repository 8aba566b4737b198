import type { Shell } from '../shells.ts';
import { BASH } from './bash.ts';
import { FISH } from './fish.ts';
import { POWERSHELL } from './powershell.ts';
import { ZSH } from './zsh.ts';

/** What makes a shell ask the program when Tab is pressed. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};
