/** Whether a text is meant to be a configuration of `tsbs_load`, and no plan. */
export function isTsbsConfig(text: string): boolean {
  return /^\s*(data-source|loader)\s*:/m.test(text) && !/^steps\s*:/m.test(text);
}
