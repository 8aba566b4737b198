import { useSyncExternalStore } from 'react';
import { currentTheme, onThemeChange, switchTheme } from '../../theme/theme.ts';
import { Icon } from './icons.tsx';

export function ThemeButton() {
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button type="button" className="icon-button" title={`Use the ${other} theme`} onClick={switchTheme}>
      <Icon name="theme" />
      <span className="sr-only">Use the {other} theme</span>
    </button>
  );
}
