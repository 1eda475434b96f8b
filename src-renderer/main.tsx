import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './fonts.css';
import './global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type AppError, toAppError } from '../src-shared/errors.ts';
import { App } from './App.tsx';
import { ApiProvider, createQueryClient } from './api.tsx';
import { ErrorPanel } from './components/ErrorPanel.tsx';
import { connect, styleNonce } from './connection.ts';
import { cssVariables, theme } from './theme.ts';

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root');
const root = createRoot(container);

connect().then(
  (api) =>
    root.render(
      <Frame>
        <QueryClientProvider client={createQueryClient()}>
          <ApiProvider api={api}>
            <App />
          </ApiProvider>
        </QueryClientProvider>
      </Frame>,
    ),
  (error: unknown) =>
    root.render(
      <Frame>
        <Unreachable error={toAppError(error)} />
      </Frame>,
    ),
);

function Frame(props: { children: ReactNode }): ReactNode {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <Notifications position="bottom-right" />
        {props.children}
      </MantineProvider>
    </StrictMode>
  );
}

/** No first connection: the one thing to do is to try again. */
function Unreachable(props: { error: AppError }): ReactNode {
  return (
    <main style={{ maxWidth: 640, margin: '96px auto', padding: 16 }}>
      <h1>Benchberry</h1>
      <ErrorPanel
        error={props.error}
        next={{ label: 'Try again', onClick: () => window.location.reload() }}
      />
    </main>
  );
}
