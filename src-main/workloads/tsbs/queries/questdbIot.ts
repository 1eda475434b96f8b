import { formatTimestamp } from '../../timestamp.ts';
import { type DrawnQuery, windowOf } from './statements.ts';

type Table = 'readings' | 'diagnostics';

/** Rows without a name belong to no truck. */
const named = 'name IS NOT NULL';
/** Groups of ten minutes in a day; not whole, so that what is divided by it is not either. */
const groupsADay = '144.0';

/** To the microsecond, the rest cut off: as the other forms of the queries about trucks have it. */
function time(nanos: bigint): string {
  const rest = ((nanos % 1000n) + 1000n) % 1000n;
  return `'${formatTimestamp(nanos - rest)}'`;
}
function inWindow(query: DrawnQuery): string {
  const { begin, end } = windowOf(query);
  return `timestamp >= ${time(begin)} AND timestamp < ${time(end)}`;
}

/** The newest row of each truck of a table among those that `where` leaves. */
const newest = (table: Table, columns: string, where = named) =>
  `(SELECT name, ${columns} FROM ${table} WHERE ${where} LATEST ON timestamp PARTITION BY name)`;

/**
 * The tags of each truck of a table. Rows carry their own, and each lacks one now and then: those of a truck's newest row
 * that has all which are asked for.
 */
const trucks = (table: Table, tags: readonly string[], which = named) =>
  newest(table, tags.join(', '), [which, ...tags.map((tag) => `${tag} IS NOT NULL`)].join(' AND '));

/** An aggregate of each truck and ten minutes in which it has rows. */
const tenMinutes = (table: Table, aggregates: string, where = named) =>
  `(SELECT timestamp AS ten_minutes, name, ${aggregates} FROM ${table} WHERE ${where} SAMPLE BY 10m)`;

/** The trucks' tags as `t`, joined by name with `r`. */
const joined = (tags: string, rows: string) => `${tags} t JOIN ${rows} r ON r.name = t.name`;

/**
 * The queries about trucks in QuestDB's SQL. TSBS has none: these are Benchberry's own, and ask what those for TimescaleDB
 * ask, their quirks included (see `iotText`). A comparison with NULL is false or, with `=` and `<>`, like one with a
 * value, so whatever TimescaleDB leaves out for being NULL is left out by name.
 */
export function questdbIotText(query: DrawnQuery): string {
  const ofFleet = `t.fleet = '${query.fleet}'`;
  const sessions = (groups: number) => {
    const driving = `(SELECT name, count() AS groups FROM ${tenMinutes('readings', 'avg(velocity) AS speed', `${named} AND ${inWindow(query)}`)} WHERE speed > 1 GROUP BY name)`;
    return `SELECT t.name, t.driver FROM ${joined(trucks('readings', ['fleet', 'driver']), driving)} WHERE ${ofFleet} AND r.groups > ${groups}`;
  };
  switch (query.type.name) {
    case 'last-loc':
      return `SELECT t.name, t.driver, r.longitude, r.latitude FROM ${joined(trucks('readings', ['fleet', 'driver']), newest('readings', 'longitude, latitude'))} WHERE ${ofFleet}`;
    case 'single-last-loc': {
      const own = `name = 'truck_${query.hosts[0]}'`;
      return `SELECT t.name, t.driver, r.longitude, r.latitude FROM ${joined(trucks('readings', ['driver'], own), newest('readings', 'longitude, latitude', own))}`;
    }
    case 'low-fuel':
      return `SELECT t.name, t.driver, r.fuel_state FROM ${joined(trucks('diagnostics', ['fleet', 'driver']), newest('diagnostics', 'fuel_state'))} WHERE ${ofFleet} AND r.fuel_state < 0.1`;
    case 'high-load':
      return `SELECT t.name, t.driver, r.current_load FROM ${joined(trucks('diagnostics', ['fleet', 'driver', 'load_capacity']), newest('diagnostics', 'current_load'))} WHERE ${ofFleet} AND r.current_load / t.load_capacity > 0.9`;
    case 'stationary-trucks': {
      const speeds = `(SELECT name, avg(velocity) AS speed FROM readings WHERE ${named} AND ${inWindow(query)} GROUP BY name)`;
      return `SELECT t.name, t.driver FROM ${joined(trucks('readings', ['fleet', 'driver']), speeds)} WHERE ${ofFleet} AND r.speed < 1`;
    }
    // Of four hours, 5 minutes an hour are a rest: 220 of 240 minutes are 22 groups of ten.
    case 'long-driving-sessions':
      return sessions(22);
    // Of 24 hours, 35 minutes an hour are a rest: 600 of 1,440 minutes are 60 groups of ten.
    case 'long-daily-sessions':
      return sessions(60);
    // Means over all rows of a fleet, from what each truck contributes to them.
    case 'avg-vs-projected-fuel-consumption': {
      const used = `(SELECT name, sum(fuel_consumption) AS used, count(fuel_consumption) AS told, count() AS moving FROM readings WHERE ${named} AND velocity > 1 GROUP BY name)`;
      return `SELECT t.fleet, sum(r.used) / sum(r.told) AS avg_fuel_consumption, sum(t.nominal_fuel_consumption * r.moving) / sum(r.moving) AS projected_fuel_consumption FROM ${joined(trucks('readings', ['fleet', 'nominal_fuel_consumption']), used)} GROUP BY t.fleet`;
    }
    case 'avg-daily-driving-duration': {
      const days = `(SELECT timestamp_floor('d', ten_minutes) AS day, name, count() / 6 AS hours FROM ${tenMinutes('readings', 'avg(velocity) AS speed')} WHERE speed > 1 GROUP BY day, name)`;
      const means = `(SELECT name, avg(hours) AS avg_daily_hours FROM ${days} GROUP BY name)`;
      return `SELECT t.fleet, t.name, t.driver, r.avg_daily_hours FROM ${joined(trucks('readings', ['fleet', 'driver']), means)}`;
    }
    // Seconds, where TimescaleDB has an interval.
    case 'avg-daily-driving-session': {
      const status = `(SELECT name, ten_minutes, CASE WHEN speed > 5 THEN 1.0 WHEN speed IS NOT NULL THEN 0.0 END AS driving FROM ${tenMinutes('readings', 'avg(velocity) AS speed')})`;
      const before = `(SELECT name, ten_minutes, driving, lag(driving) OVER (PARTITION BY name ORDER BY ten_minutes) AS was_driving FROM ${status})`;
      const changes = `(SELECT name, ten_minutes AS start, lead(ten_minutes) OVER (PARTITION BY name ORDER BY ten_minutes) AS stop, driving FROM ${before} WHERE driving IS NOT NULL AND was_driving IS NOT NULL AND driving <> was_driving)`;
      return `SELECT name, timestamp_floor('d', start) AS day, avg(datediff('s', start, stop)) AS duration FROM ${changes} WHERE driving = 1 GROUP BY name, day ORDER BY name, day`;
    }
    case 'avg-load':
      return `SELECT t.fleet, t.model, t.load_capacity, avg(r.avg_load / t.load_capacity) AS avg_load_percentage FROM ${joined(trucks('diagnostics', ['fleet', 'model', 'load_capacity']), `(SELECT name, avg(current_load) AS avg_load FROM diagnostics WHERE ${named} GROUP BY name)`)} GROUP BY t.fleet, t.model, t.load_capacity`;
    case 'daily-activity': {
      const days = `(SELECT timestamp_floor('d', ten_minutes) AS day, name, sum(rows_ten_minutes) AS rows_day FROM ${tenMinutes('diagnostics', 'count() AS rows_ten_minutes, avg(status) AS status')} WHERE status < 1 GROUP BY day, name)`;
      return `SELECT t.fleet, t.model, r.day, sum(r.rows_day) / ${groupsADay} AS daily_activity FROM ${joined(trucks('diagnostics', ['fleet', 'model']), days)} GROUP BY t.fleet, t.model, r.day ORDER BY r.day`;
    }
    // Broken where no status of ten minutes is missing: what TSBS's whole numbers come to.
    case 'breakdown-frequency': {
      const groups = `(SELECT name, ten_minutes, CASE WHEN told = all_rows THEN 1.0 ELSE 0.0 END AS broken FROM ${tenMinutes('diagnostics', 'count(status) AS told, count() AS all_rows')})`;
      const changes = `(SELECT name, broken, lead(broken) OVER (PARTITION BY name ORDER BY ten_minutes) AS breaks FROM ${groups})`;
      const starts = `(SELECT name, count() AS starts FROM ${changes} WHERE broken = 0 AND breaks = 1 GROUP BY name)`;
      return `SELECT t.model, sum(r.starts) AS count FROM ${joined(trucks('diagnostics', ['model']), starts)} GROUP BY t.model`;
    }
    default:
      throw new Error(`no statement for ${query.type.name}`);
  }
}
