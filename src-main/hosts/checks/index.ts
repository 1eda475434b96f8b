export { gate } from './gate.ts';
export { machineChecks } from './machineChecks.ts';
export { passGate } from './passGate.ts';
