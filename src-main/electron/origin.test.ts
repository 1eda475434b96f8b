import { expect, test } from 'vitest';
import { appUrl, isAppUrl } from './origin.ts';

test('the page’s own addresses are its own', () => {
  for (const url of [appUrl, 'app://benchberry/#/runs/1', 'app://benchberry/assets/index.js?x=1']) {
    expect(isAppUrl(url)).toBe(true);
  }
});

test.each([
  '',
  'benchberry',
  'about:blank',
  'app:benchberry',
  'app://',
  'app://benchberry.evil/',
  'app://benchberry:80/',
  'app://benchberry@evil/',
  'app://evil/?app://benchberry/',
  'app://evil/#app://benchberry/',
  'apps://benchberry/',
  'file:///app://benchberry/',
  'https://benchberry/',
  'blob:app://benchberry/1',
  'data:text/html,app://benchberry/',
  'javascript:app://benchberry/',
])('%j is not', (url) => expect(isAppUrl(url)).toBe(false));
