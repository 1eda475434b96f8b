import type { DrawnQuery } from './statements.ts';

/** How times are grouped and bounded in the database's form. */
interface Times {
  /** The beginning of the group of so many seconds that a time belongs to; `time` unless said. */
  bucket(seconds: number, time?: string): string;
  inWindow(query: DrawnQuery): string;
}

const tenMinutes = 600;
const day = 86_400;
/** Groups of ten minutes in a day. */
const groupsADay = 144;

/** The newest row of a table for each tags row; `columns` are of that table. */
const newest = (table: string, columns: string) =>
  `FROM tags t INNER JOIN LATERAL (SELECT ${columns} FROM ${table} WHERE tags_id = t.id ORDER BY time DESC LIMIT 1) r ON true`;

/**
 * TSBS's queries about trucks. They go through the tags table, and rows without a name belong to no truck. Its quirks are
 * kept: driving hours are whole ones, and a breakdown counts only where every row of ten minutes says so, since
 * `count(status = 0)` counts rows whatever their status and the division is one of whole numbers.
 */
export function iotText(query: DrawnQuery, { bucket, inWindow }: Times): string {
  const ofFleet = `t.name IS NOT NULL AND t.fleet = '${query.fleet}'`;
  const named = 't.name IS NOT NULL';
  const driving = (where: string) =>
    `SELECT ${bucket(tenMinutes)} AS ten_minutes, tags_id FROM readings${where} GROUP BY ten_minutes, tags_id HAVING avg(velocity) > 1`;
  const sessions = (groups: number) =>
    `SELECT t.name, t.driver FROM tags t INNER JOIN (${driving(` WHERE ${inWindow(query)}`)}) r ON t.id = r.tags_id WHERE ${ofFleet} GROUP BY t.name, t.driver HAVING count(r.ten_minutes) > ${groups}`;
  switch (query.type.name) {
    case 'last-loc':
      return `SELECT t.name, t.driver, r.longitude, r.latitude ${newest('readings', 'longitude, latitude')} WHERE ${ofFleet}`;
    case 'single-last-loc':
      return `SELECT t.name, t.driver, r.longitude, r.latitude ${newest('readings', 'longitude, latitude')} WHERE ${named} AND t.name IN ('truck_${query.hosts[0]}')`;
    case 'low-fuel':
      return `SELECT t.name, t.driver, r.fuel_state ${newest('diagnostics', 'fuel_state')} WHERE ${ofFleet} AND r.fuel_state < 0.1`;
    case 'high-load':
      return `SELECT t.name, t.driver, r.current_load ${newest('diagnostics', 'current_load')} WHERE ${ofFleet} AND r.current_load / t.load_capacity > 0.9`;
    case 'stationary-trucks':
      return `SELECT t.name, t.driver FROM tags t INNER JOIN readings r ON r.tags_id = t.id WHERE ${inWindow(query)} AND ${ofFleet} GROUP BY t.name, t.driver HAVING avg(r.velocity) < 1`;
    // Of four hours, 5 minutes an hour are a rest: 220 of 240 minutes are 22 groups of ten.
    case 'long-driving-sessions':
      return sessions(22);
    // Of 24 hours, 35 minutes an hour are a rest: 600 of 1,440 minutes are 60 groups of ten.
    case 'long-daily-sessions':
      return sessions(60);
    case 'avg-vs-projected-fuel-consumption':
      return `SELECT t.fleet, avg(r.fuel_consumption) AS avg_fuel_consumption, avg(t.nominal_fuel_consumption) AS projected_fuel_consumption FROM tags t INNER JOIN readings r ON r.tags_id = t.id WHERE r.velocity > 1 AND t.fleet IS NOT NULL AND t.nominal_fuel_consumption IS NOT NULL AND ${named} GROUP BY t.fleet`;
    case 'avg-daily-driving-duration':
      return `WITH sessions AS (${driving('')}), days AS (SELECT ${bucket(day, 'ten_minutes')} AS day, tags_id, count(*) / 6 AS hours FROM sessions GROUP BY day, tags_id) SELECT t.fleet, t.name, t.driver, avg(d.hours) AS avg_daily_hours FROM days d INNER JOIN tags t ON t.id = d.tags_id GROUP BY t.fleet, t.name, t.driver`;
    case 'avg-daily-driving-session':
      return `WITH status AS (SELECT tags_id, ${bucket(tenMinutes)} AS ten_minutes, avg(velocity) > 5 AS driving FROM readings GROUP BY tags_id, ten_minutes), before AS (SELECT tags_id, ten_minutes, driving, lag(driving) OVER (PARTITION BY tags_id ORDER BY ten_minutes) AS was_driving FROM status), changes AS (SELECT tags_id, ten_minutes AS start, lead(ten_minutes) OVER (PARTITION BY tags_id ORDER BY ten_minutes) AS stop, driving FROM before WHERE driving <> was_driving) SELECT t.name, ${bucket(day, 'start')} AS day, avg(age(stop, start)) AS duration FROM tags t INNER JOIN changes c ON t.id = c.tags_id WHERE ${named} AND c.driving GROUP BY t.name, day ORDER BY t.name, day`;
    case 'avg-load':
      return `SELECT t.fleet, t.model, t.load_capacity, avg(d.avg_load / t.load_capacity) AS avg_load_percentage FROM tags t INNER JOIN (SELECT tags_id, avg(current_load) AS avg_load FROM diagnostics GROUP BY tags_id) d ON t.id = d.tags_id WHERE ${named} GROUP BY t.fleet, t.model, t.load_capacity`;
    case 'daily-activity':
      return `SELECT t.fleet, t.model, y.day, sum(y.rows_ten_minutes) / ${groupsADay} AS daily_activity FROM tags t INNER JOIN (SELECT ${bucket(day)} AS day, ${bucket(tenMinutes)} AS ten_minutes, tags_id, count(*) AS rows_ten_minutes FROM diagnostics GROUP BY day, ten_minutes, tags_id HAVING avg(status) < 1) y ON y.tags_id = t.id WHERE ${named} GROUP BY t.fleet, t.model, y.day ORDER BY y.day`;
    case 'breakdown-frequency':
      return `WITH groups AS (SELECT ${bucket(tenMinutes)} AS ten_minutes, tags_id, count(status = 0) / count(*) >= 0.5 AS broken FROM diagnostics GROUP BY ten_minutes, tags_id), changes AS (SELECT tags_id, broken, lead(broken) OVER (PARTITION BY tags_id ORDER BY ten_minutes) AS breaks FROM groups) SELECT t.model, count(*) FROM tags t INNER JOIN changes c ON t.id = c.tags_id WHERE ${named} AND c.broken = false AND c.breaks = true GROUP BY t.model`;
    default:
      throw new Error(`no statement for ${query.type.name}`);
  }
}
