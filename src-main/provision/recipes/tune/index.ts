import { toAppError } from '../../../../src-shared/errors.ts';
import type { Inventory } from '../../../../src-shared/model/host.ts';
import type { Recipe } from '../../step.ts';
import { parseSettings } from '../../tuning/custom.ts';
import { type Board, reservedFor } from '../../tuning/piSafe.ts';
import { profileSettings } from '../../tuning/profiles.ts';
import { conflicts } from '../../tuning/rules.ts';
import { mergeSettings, type Setting } from '../../tuning/setting.ts';
import { releaseOf } from '../releases.ts';
import { type Parameters, parameters } from './parameters.ts';
import { clusterServer, containerServer, type Server } from './server.ts';
import { settingsStep } from './settingsStep.ts';

/** postgresql.conf for the board: one file of its own beside the user's lines, shown as a diff before it is written. */
export const tune: Recipe = {
  id: 'tune',
  label: 'Tune PostgreSQL',
  description:
    'Settings for this board’s memory, cores and disk, each with its reason; the user’s own lines stay as they are.',
  parameters,
  refuse(host, given) {
    const wanted = parameters.parse(given);
    const server = serverOf(host, wanted);
    if (server === null) {
      return `There is no cluster ${wanted.cluster} on this host, and none is known to come.`;
    }
    const board = boardOf(host, wanted, server.version);
    if (board === null)
      return 'The host does not tell its memory and its cores: there is nothing to reckon with.';
    try {
      const settings = settingsOf(board, wanted);
      if (settings.length === 0)
        return 'There is nothing to set: write your own settings, or choose a profile.';
      // A server that is there is asked itself, which knows more.
      const there =
        wanted.server === 'cluster' && host.postgresClusters.some(({ name }) => name === wanted.cluster);
      return there ? null : (conflicts(settings, [], board.memoryBytes)[0] ?? null);
    } catch (thrown) {
      return toAppError(thrown).message;
    }
  },
  steps(host, given) {
    const wanted = parameters.parse(given);
    const server = serverOf(host, wanted);
    const board = server === null ? null : boardOf(host, wanted, server.version);
    if (server === null || board === null) return [];
    return [
      settingsStep({
        server,
        profile: wanted.profile,
        settings: settingsOf(board, wanted),
        memoryBytes: board.memoryBytes,
      }),
    ];
  },
};

/** A container; else the cluster that is there, else the one that the release's packages would make. */
function serverOf(host: Inventory, { server, cluster, version }: Parameters): Server | null {
  if (server !== 'cluster') return containerServer(server, version);
  const there = host.postgresClusters.find(({ name }) => name === cluster)?.version;
  const known = there ?? releaseOf(host)?.postgres.toString();
  return known === undefined ? null : clusterServer(known, cluster);
}

function boardOf(host: Inventory, { disk }: Parameters, version: string): Board | null {
  const memoryBytes = host.memoryBytes.value;
  const cores = host.cores.value;
  if (memoryBytes === null || cores === null) return null;
  const card = ['sd', 'emmc'].includes(host.root.kind.value ?? '');
  return {
    memoryBytes,
    cores,
    postgres: Number.parseInt(version, 10),
    reservedBytes: host.gui.running.value === true ? reservedFor.desktop : reservedFor.headless,
    disk: disk === 'auto' ? (card ? 'card' : 'ssd') : disk,
  };
}

function settingsOf(board: Board, { profile, formulas, custom }: Parameters): Setting[] {
  return mergeSettings(profileSettings(profile, board, formulas), parseSettings(custom));
}
