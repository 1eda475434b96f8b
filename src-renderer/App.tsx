import { type ReactNode, Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { SkeletonRows } from './components/Skeletons.tsx';
import { patterns } from './routes.ts';
import { NothingHere } from './screens/NothingHere.tsx';
import { SettingsScreen } from './screens/Settings/Settings.tsx';
import { Shell } from './shell/Shell.tsx';

/** The shell with the screen of the address in it. */
export function App(): ReactNode {
  return (
    <Router hook={useHashLocation}>
      <Shell>
        <Suspense fallback={<Arriving />}>
          <Switch>
            <Route path={patterns.settings} component={SettingsScreen} />
            <Route component={NothingHere} />
          </Switch>
        </Suspense>
      </Shell>
    </Router>
  );
}

function Arriving(): ReactNode {
  return (
    <div style={{ padding: 24 }}>
      <SkeletonRows />
    </div>
  );
}
