import { protocol } from 'electron';
import { builtRenderer, loadStaticFiles } from '../serve/staticFiles.ts';
import { appScheme, isAppUrl } from './origin.ts';

/** The page comes from `app://`: a real origin of its own, unlike `file://`. Call before the app is ready. */
export function createAppProtocol(): { handle(): Promise<void> } {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
  return {
    /** Answers requests from the built renderer. Call once the app is ready. */
    async handle() {
      const files = await loadStaticFiles(builtRenderer);
      protocol.handle(appScheme, (request) => {
        if (!isAppUrl(request.url) || request.method !== 'GET') return new Response(null, { status: 403 });
        const { status, headers, body } = files(new URL(request.url).pathname);
        return new Response(new Uint8Array(body), { status, headers });
      });
    },
  };
}
