import path from 'node:path';
import process from 'node:process';
import { run } from './cache.ts';

/**
 * The Java of JAVA_HOME, else of the path.
 * @param product what is to be run, with its version
 * @throws Error saying which Java is missing
 */
export async function findJava(product: string, oldest: number): Promise<string> {
  const { JAVA_HOME: home } = process.env;
  const java = home ? path.join(home, 'bin', 'java') : 'java';
  const { stderr } = await run(java, ['-version']);
  const version = Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  if (version >= oldest) return java;
  throw new Error(`${product} needs Java ${oldest} or newer, and ${java} is ${stderr.split('\n')[0]}`);
}
