import type { Random } from './random.ts';

/** Groups of 11 random digits joined by `-`: 119 characters of `c`, 59 of `pad`. */
const groupDigits = 11;
const groupsOfC = 10;
const groupsOfPad = 5;

export const randomC = (random: Random): string => digitGroups(random, groupsOfC);
export const randomPad = (random: Random): string => digitGroups(random, groupsOfPad);

function digitGroups(random: Random, groups: number): string {
  let text = digits(random);
  for (let i = 1; i < groups; i += 1) text += `-${digits(random)}`;
  return text;
}

function digits(random: Random): string {
  return String(Math.floor(random.uniform() * 1e11)).padStart(groupDigits, '0');
}
