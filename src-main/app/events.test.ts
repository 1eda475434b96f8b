import { expect, test } from 'vitest';
import { createEvents } from './events.ts';

test('a listener that throws keeps no other from hearing, and its error is told', () => {
  const errors: unknown[] = [];
  const { on, publish } = createEvents((error) => errors.push(error));
  const heard: string[] = [];
  on('lists.changed', () => {
    throw new Error('mine');
  });
  on('lists.changed', ({ what }) => heard.push(what));
  publish('lists.changed', { what: 'plans' });
  expect(heard).toEqual(['plans']);
  expect(errors).toEqual([new Error('mine')]);
});

test('one listener subscribed twice leaves once at a time, also while an event is told', () => {
  const { on, publish } = createEvents(() => undefined);
  const heard: string[] = [];
  const listener = ({ what }: { what: string }) => void heard.push(what);
  const offOne = on('lists.changed', () => offTwo());
  const offTwo = on('lists.changed', listener);
  on('lists.changed', listener);
  publish('lists.changed', { what: 'runs' });
  publish('lists.changed', { what: 'plans' });
  expect(heard).toEqual(['runs', 'runs', 'plans']);
  offOne();
});
