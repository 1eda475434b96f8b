import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useCommand } from '../api.tsx';

/** Follows the remembered choice. Mantine keeps a copy of its own, so that the next start does not flash. */
export function useTheme(): void {
  const theme = useCommand('app.info', null).data?.settings.theme;
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (theme !== undefined) setColorScheme(theme === 'system' ? 'auto' : theme);
  }, [theme, setColorScheme]);
}
