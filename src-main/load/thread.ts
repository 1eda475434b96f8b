import { findDriver } from '../databases/registry.ts';
import { findWorkload } from '../workloads/registry.ts';
import { runThread } from './threadMain.ts';

/** Entry of the loader's worker threads. */
await runThread({ findDriver, findWorkload });
