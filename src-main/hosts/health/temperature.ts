import { parseThermalZones, parseVcgencmdTemperature } from '../inventory/firmware.ts';
import { askSurvey, type Survey } from '../inventory/survey.ts';
import { surveyItems } from '../inventory/surveyItems.ts';
import type { Remote } from '../remote.ts';

const items = ['vcgencmd-temp', 'thermal'];

/** °C of the processor as its firmware says, else as the kernel does; null where neither has a thermometer. */
export function temperatureOf(survey: Pick<Survey, 'text'>): number | null {
  return parseVcgencmdTemperature(survey.text('vcgencmd-temp')) ?? parseThermalZones(survey.text('thermal'));
}

/** Asks a host how warm it is. Reads only. @throws AppError what `Remote.script` throws */
export async function readTemperature(remote: Remote, signal: AbortSignal): Promise<number | null> {
  const asked = surveyItems.filter(([name]) => items.includes(name));
  return temperatureOf(await askSurvey(remote, asked, { signal }));
}
