import { Menu, type MenuItemConstructorOptions, shell } from 'electron';

interface Command {
  menu: 'File' | 'Edit' | 'View' | 'Window';
  label?: string;
  /** What the system does by itself, with its own label and key. */
  role?: MenuItemConstructorOptions['role'];
  run?: () => void;
}

/** The native menu. The workbench's own commands are in its palette, the same in a browser. */
export function installMenu({ dataFolder }: { dataFolder: string }): void {
  const mac = process.platform === 'darwin';
  const commands: Command[] = [
    { menu: 'File', label: 'Open the Data Folder', run: () => void shell.openPath(dataFolder) },
    { menu: 'File', role: mac ? 'close' : 'quit' },
    ...(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'] as const).map((role) => ({
      menu: 'Edit' as const,
      role,
    })),
    ...(['reload', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'] as const).map((role) => ({
      menu: 'View' as const,
      role,
    })),
    ...(['minimize', 'zoom'] as const).map((role) => ({ menu: 'Window' as const, role })),
  ];
  const menus = [...new Set(commands.map(({ menu }) => menu))].map((menu) => ({
    label: menu,
    submenu: commands.filter((command) => command.menu === menu).map(toItem),
  }));
  Menu.setApplicationMenu(Menu.buildFromTemplate([...(mac ? [{ role: 'appMenu' as const }] : []), ...menus]));
}

function toItem({ label, role, run }: Command): MenuItemConstructorOptions {
  return {
    ...(label !== undefined && { label }),
    ...(role !== undefined && { role }),
    ...(run && { click: () => run() }),
  };
}
