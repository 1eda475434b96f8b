import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { drivers, findDriver } from './registry.ts';

describe('the registry of engines', () => {
  it('finds each engine by its id, and no id twice', () => {
    for (const driver of drivers) expect(findDriver(driver.id)).toBe(driver);
    expect(new Set(drivers.map((driver) => driver.id)).size).toBe(drivers.length);
  });

  it('names the engines there are when it knows none of that name', () => {
    expect(() => findDriver('oracle')).toThrow(AppError);
    expect(() => findDriver('oracle')).toThrow(/"oracle"/);
  });

  it('gives every option a default and words for people', () => {
    for (const driver of drivers) {
      expect(driver.loadOptions.safeParse({}).error).toBeUndefined();
      for (const [key, field] of Object.entries({
        ...driver.loadOptions.shape,
        ...driver.connection.shape,
      })) {
        const meta = field.meta();
        expect(meta?.title, `${driver.id}: ${key}`).toBeTruthy();
        expect(meta?.description, `${driver.id}: ${key}`).toBeTruthy();
      }
    }
  });
});
