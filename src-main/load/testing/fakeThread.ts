import { runThread } from '../threadMain.ts';
import { fakeRegistries } from './fakes.ts';

await runThread(fakeRegistries);
