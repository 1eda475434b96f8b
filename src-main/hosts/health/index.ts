export { readTemperature, temperatureOf } from './temperature.ts';
export { watchHealth } from './watch.ts';
