import { registerHooks } from 'node:module';

// node --import this file out/main/main.js: the real main module finds the stand-in under the name of the real one.
const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
