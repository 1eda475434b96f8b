export { type HealthWatch, watchHealth } from './watch.ts';
