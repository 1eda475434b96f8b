import { randomInt } from 'node:crypto';

/** Without what looks alike (0 O, 1 l I): it may be typed from a screen. */
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 24;

/** A password for a new database: 24 letters and digits of 57, 139 bits. Nothing in it has a meaning to a shell or an address. */
export function makePassword(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}
