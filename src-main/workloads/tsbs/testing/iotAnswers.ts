import type { Dataset, RowSink } from '../../../databases/driver.ts';

/** A reading or a diagnosis as the tests compute with it; NaN where a field is missing. */
interface TruckRow {
  ms: number;
  values: number[];
}
export interface Truck {
  name: string;
  fleet: string;
  driver: string;
  model: string;
  capacity: number;
  nominal: number;
  readings: TruckRow[];
  diagnostics: TruckRow[];
}
const velocity = 3;
const consumption = 6;
const [fuelState, currentLoad, status] = [0, 1, 2];

/** Keeps the rows of each truck; those without a name belong to none. */
export function truckKeeper(dataset: Dataset): { sink: RowSink; trucks: Truck[] } {
  const trucks = Array.from({ length: dataset.devices }, (_, i): Truck => {
    const [name, fleet, driver, model, , capacity, , nominal] = dataset.deviceTags(i);
    return {
      ...{ name: String(name), fleet: String(fleet), driver: String(driver), model: String(model) },
      ...{ capacity: Number(capacity), nominal: Number(nominal), readings: [], diagnostics: [] },
    };
  });
  const sink: RowSink = {
    row(table, device, ms, _, values, missingTag) {
      if (missingTag === 0) return;
      const truck = trucks[device];
      (table === 0 ? truck?.readings : truck?.diagnostics)?.push({ ms, values: [...values] });
    },
  };
  return { sink, trucks };
}

export interface Asked {
  begin: number;
  end: number;
  fleet: string | null;
  truck: string | null;
}

/** Reads back from a statement what it asks for, whatever it does with it. */
export function askedIn(text: string): Asked {
  const times = [...text.matchAll(/'(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?(?: \+0000|Z)'/g)].map(
    ([, day, time, fraction]) => Date.parse(`${day}T${time}Z`) + Number(fraction ?? 0) * 1000,
  );
  return {
    begin: times[0] ?? Number.NEGATIVE_INFINITY,
    end: times[1] ?? Number.POSITIVE_INFINITY,
    fleet: /'(East|West|North|South)'/.exec(text)?.[1] ?? null,
    truck: /'(truck_\d+)'/.exec(text)?.[1] ?? null,
  };
}

type Answer = (string | number | null)[][];

/** As SQL's avg: without missing values; NaN where there are none. */
function mean(values: readonly number[]): number {
  const there = values.filter((value) => !Number.isNaN(value));
  return there.reduce((sum, value) => sum + value, 0) / there.length;
}
const field = (rows: readonly TruckRow[], index: number) =>
  rows.map((row) => row.values[index] ?? Number.NaN);
const minutes = 60_000;
const days = 86_400_000;
const tens = (rows: readonly TruckRow[]) =>
  Map.groupBy(rows, ({ ms }) => Math.floor(ms / (10 * minutes)) * 10 * minutes);
const latest = (rows: readonly TruckRow[]) =>
  rows.reduce<TruckRow | null>((last, row) => (last === null || row.ms > last.ms ? row : last), null);
const ofFleet = (trucks: readonly Truck[], { fleet }: Asked) =>
  trucks.filter((truck) => truck.fleet === fleet);
const number = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value);

export function newest(trucks: readonly Truck[], type: string, asked: Asked): Answer {
  const own =
    asked.truck === null ? ofFleet(trucks, asked) : trucks.filter(({ name }) => name === asked.truck);
  return own.flatMap((truck): Answer => {
    const { name, driver, capacity } = truck;
    if (type.endsWith('loc')) {
      const row = latest(truck.readings);
      return row === null ? [] : [[name, driver, number(row.values[1]), number(row.values[0])]];
    }
    const row = latest(truck.diagnostics);
    const value = row?.values[type === 'low-fuel' ? fuelState : currentLoad] ?? Number.NaN;
    const low = type === 'low-fuel' ? value < 0.1 : value / capacity > 0.9;
    return low ? [[name, driver, value]] : [];
  });
}

const inWindow = (rows: readonly TruckRow[], { begin, end }: Asked) =>
  rows.filter(({ ms }) => ms >= begin && ms < end);

export function stationary(trucks: readonly Truck[], asked: Asked, limit: number): Answer {
  return ofFleet(trucks, asked)
    .filter(({ readings }) => mean(field(inWindow(readings, asked), velocity)) < limit)
    .map(({ name, driver }) => [name, driver]);
}

export function driven(trucks: readonly Truck[], asked: Asked, limit: number): Answer {
  return ofFleet(trucks, asked)
    .filter(({ readings }) => {
      const groups = [...tens(inWindow(readings, asked)).values()];
      return groups.filter((rows) => mean(field(rows, velocity)) > 1).length > limit;
    })
    .map(({ name, driver }) => [name, driver]);
}

export function fuel(trucks: readonly Truck[]): Answer {
  return [...Map.groupBy(trucks, ({ fleet }) => fleet)].map(([fleet, own]) => {
    const moving = own.flatMap(({ readings, nominal }) =>
      readings.filter(({ values }) => (values[velocity] ?? 0) > 1).map(({ values }) => ({ values, nominal })),
    );
    const used = mean(moving.map(({ values }) => values[consumption] ?? Number.NaN));
    return [fleet, used, mean(moving.map(({ nominal }) => nominal))];
  });
}

export function dailyHours(trucks: readonly Truck[]): Answer {
  return trucks.flatMap(({ fleet, name, driver, readings }) => {
    const driving = [...tens(readings)]
      .filter(([, rows]) => mean(field(rows, velocity)) > 1)
      .map(([ms]) => ms);
    const perDay = [...Map.groupBy(driving, (ms) => Math.floor(ms / days)).values()];
    return perDay.length === 0
      ? []
      : [[fleet, name, driver, mean(perDay.map((groups) => Math.trunc(groups.length / 6)))]];
  });
}

/** Name, day in s, mean seconds from a change to driving to the next change, by the day of the former. */
export function dailySessions(trucks: readonly Truck[]): Answer {
  return trucks.flatMap(({ name, readings }) => {
    const groups = [...tens(readings)]
      .sort(([a], [b]) => a - b)
      .map(([ms, rows]) => {
        const speed = mean(field(rows, velocity));
        return { ms, driving: Number.isNaN(speed) ? null : speed > 5 };
      });
    const changes = groups.filter(({ driving }, i) => {
      const before = groups[i - 1]?.driving ?? null;
      return before !== null && driving !== null && driving !== before;
    });
    const sessions = changes.flatMap(({ ms, driving }, i) =>
      driving ? [{ start: ms, stop: changes[i + 1]?.ms ?? null }] : [],
    );
    return [...Map.groupBy(sessions, ({ start }) => Math.floor(start / days))].map(([day, own]) => [
      name,
      day * 86_400,
      number(mean(own.flatMap(({ start, stop }) => (stop === null ? [] : [(stop - start) / 1000])))),
    ]);
  });
}

export function loads(trucks: readonly Truck[]): Answer {
  const groups = Map.groupBy(
    trucks.filter(({ diagnostics }) => diagnostics.length > 0),
    ({ fleet, model, capacity }) => JSON.stringify([fleet, model, capacity]),
  );
  return [...groups].map(([key, own]) => [
    ...JSON.parse(key),
    mean(own.map(({ diagnostics, capacity }) => mean(field(diagnostics, currentLoad)) / capacity)),
  ]);
}

/** Fleet, model, day in s, rows in ten minutes of standing still, a 144th of them. */
export function dailyActivity(trucks: readonly Truck[]): Answer {
  const groups = trucks.flatMap(({ fleet, model, diagnostics }) =>
    [...tens(diagnostics)]
      .filter(([, rows]) => mean(field(rows, status)) < 1)
      .map(([ms, rows]) => ({ key: JSON.stringify([fleet, model, Math.floor(ms / days) * 86_400]), rows })),
  );
  return [...Map.groupBy(groups, ({ key }) => key)].map(([key, own]) => [
    ...JSON.parse(key),
    own.reduce((sum, { rows }) => sum + rows.length, 0) / 144,
  ]);
}

/** TSBS's condition in whole numbers: a group is broken where no status is missing. */
export function breakdowns(trucks: readonly Truck[]): Answer {
  const counts = new Map<string, number>();
  for (const { model, diagnostics } of trucks) {
    const broken = [...tens(diagnostics)]
      .sort(([a], [b]) => a - b)
      .map(([, rows]) => field(rows, status).every((value) => !Number.isNaN(value)));
    const starts = broken.filter((own, i) => !own && broken[i + 1] === true).length;
    if (starts > 0) counts.set(model, (counts.get(model) ?? 0) + starts);
  }
  return [...counts];
}

/** `2016-01-01 01:00:00+00` in ms since 1970. */
export function instant(text: string | null): number {
  return Date.parse(`${text}`.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}

/** An interval as PostgreSQL prints it, `1 day 02:30:00.5`, in seconds; null for null. */
export function secondsOf(text: string | null): number | null {
  if (text === null) return null;
  const found = /^(?:(\d+) days? ?)?(?:(\d\d):(\d\d):(\d\d(?:\.\d+)?))?$/.exec(text);
  if (found === null) throw new Error(`${text} is not an interval`);
  const [, day = 0, hours = 0, min = 0, seconds = 0] = found;
  return ((Number(day) * 24 + Number(hours)) * 60 + Number(min)) * 60 + Number(seconds);
}
