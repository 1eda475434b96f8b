import { type ReactNode, Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { SkeletonRows } from './components/Skeletons.tsx';
import { patterns } from './routes.ts';
import { CompareScreen } from './screens/Compare/Compare.tsx';
import { HomeScreen } from './screens/Home/Home.tsx';
import { EditHostScreen } from './screens/Hosts/EditHost.tsx';
import { HostScreen } from './screens/Hosts/Host.tsx';
import { HostsScreen } from './screens/Hosts/Hosts.tsx';
import { NothingHere } from './screens/NothingHere.tsx';
import { PlanScreen } from './screens/Plans/Plan.tsx';
import { PlansScreen } from './screens/Plans/Plans.tsx';
import { ProvisionScreen } from './screens/Provision/Provision.tsx';
import { ProvisionRackScreen } from './screens/Rack/ProvisionRack.tsx';
import { RackScreen } from './screens/Rack/Rack.tsx';
import { RackRunScreen } from './screens/Rack/RackRun.tsx';
import { RunScreen } from './screens/Run/Run.tsx';
import { RunsScreen } from './screens/Runs/Runs.tsx';
import { SeriesScreen } from './screens/Series/Series.tsx';
import { SettingsScreen } from './screens/Settings/Settings.tsx';
import { TargetScreen } from './screens/Targets/Target.tsx';
import { TargetsScreen } from './screens/Targets/Targets.tsx';
import { Shell } from './shell/Shell.tsx';

/** The shell with the screen of the address in it. */
export function App(): ReactNode {
  return (
    <Router hook={useHashLocation}>
      <Shell>
        <Suspense fallback={<Arriving />}>
          <Switch>
            <Route path={patterns.home} component={HomeScreen} />
            <Route path={patterns.hosts} component={HostsScreen} />
            <Route path={patterns.newHost}>{() => <EditHostScreen key="new" id={null} />}</Route>
            <Route path={patterns.provisionRack}>
              {({ name, ids }) => <ProvisionRackScreen key={name} rack={name} ids={ids ?? ''} />}
            </Route>
            <Route path={patterns.rack}>{({ name }) => <RackScreen key={name} name={name} />}</Route>
            <Route path={patterns.host}>{({ id }) => <HostScreen key={id} id={id} />}</Route>
            <Route path={patterns.editHost}>{({ id }) => <EditHostScreen key={id} id={id} />}</Route>
            <Route path={patterns.provision}>
              {({ id }) => <ProvisionScreen key={id} hostId={id} id={null} />}
            </Route>
            <Route path={patterns.provisioning}>
              {({ id, provisioning }) => <ProvisionScreen key={provisioning} hostId={id} id={provisioning} />}
            </Route>
            <Route path={patterns.targets} component={TargetsScreen} />
            <Route path={patterns.newTarget}>{() => <TargetScreen id={null} />}</Route>
            <Route path={patterns.target}>{({ id }) => <TargetScreen key={id} id={id} />}</Route>
            <Route path={patterns.plans} component={PlansScreen} />
            <Route path={patterns.newPlan}>{() => <PlanScreen key="new" id={null} />}</Route>
            <Route path={patterns.newPlanOn}>
              {({ target }) => <PlanScreen key={`new ${target}`} id={null} target={target} />}
            </Route>
            <Route path={patterns.plan}>{({ id }) => <PlanScreen key={id} id={id} />}</Route>
            <Route path={patterns.runs} component={RunsScreen} />
            <Route path={patterns.rackRun}>{({ id }) => <RackRunScreen key={id} id={id} />}</Route>
            <Route path={patterns.series}>{({ id }) => <SeriesScreen key={id} id={id} />}</Route>
            <Route path={patterns.run}>{({ id }) => <RunScreen key={id} id={id} />}</Route>
            <Route path={patterns.compareNothing}>{() => <CompareScreen ids="" />}</Route>
            <Route path={patterns.compare}>{({ ids }) => <CompareScreen ids={ids} />}</Route>
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
