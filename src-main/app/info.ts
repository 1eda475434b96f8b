import { toolVersion } from './assets.ts';
import type { AppContext, HandlersOf } from './context.ts';

export function infoHandlers({ dataFolder, secrets, store }: AppContext): HandlersOf<'app' | 'settings'> {
  return {
    'app.info': async () => ({
      version: toolVersion,
      dataFolder,
      secrets: { kind: secrets.kind, detail: secrets.detail },
      notices: [...store.notices],
      settings: store.settings.get(),
    }),
    async 'settings.save'(settings) {
      store.settings.save(settings);
      return settings;
    },
  };
}
