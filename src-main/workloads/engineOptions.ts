import type { z } from 'zod';
import type { Driver } from '../databases/driver.ts';

type Shape = z.ZodObject['shape'];

/**
 * The load options of all engines in one flat shape. Engines may share a field (the sandbox has PostgreSQL's).
 * @throws Error where two engines mean different things by one name, or a name is `taken` already
 */
export function mergeEngineOptions(drivers: readonly Driver[], taken: Shape): Shape {
  const merged: Record<string, z.core.$ZodType> = {};
  for (const driver of drivers) {
    for (const [name, field] of Object.entries(driver.loadOptions.shape)) {
      if (name in taken || (name in merged && merged[name] !== field))
        throw new Error(`load option ${name} of ${driver.id} exists already`);
      merged[name] = field;
    }
  }
  return merged;
}
