import { z } from 'zod';
import type { Connection } from './database.ts';
import type { RunRepository } from './repositories.ts';
import type { SeriesRepository } from './series.ts';

const knownRows = z.array(z.object({ deleted_at: z.string().nullable() }));

/** The process of a run that no process of this machine has executed. */
const nobody = { pid: 0, startedAt: 0 };

/** Takes in runs that were measured elsewhere, or before the data file was begun. */
export function adoption(
  db: Connection,
  repository: Pick<RunRepository, 'create' | 'restore'> & SeriesRepository,
): RunRepository['adopt'] {
  return ({ run, series, histograms }) =>
    db.transaction(() => {
      const [known] = knownRows.parse(db.all('SELECT deleted_at FROM run WHERE id = ?', run.id));
      if (known?.deleted_at === null) return 'there';
      if (known) {
        repository.restore([run.id]);
        return 'restored';
      }
      repository.create(run, nobody);
      for (const tick of series.ticks) repository.appendTick(tick, []);
      for (const event of series.events) repository.appendEvent(event);
      for (const sample of series.health) repository.appendHealth(run.id, sample);
      for (const sample of series.server) repository.appendServer(run.id, sample);
      if (series.serverWatch) repository.keepServerWatch(run.id, series.serverWatch);
      for (const { phase, seq, operation, latency, service } of histograms) {
        db.run(
          'INSERT INTO histogram VALUES (?, ?, ?, ?, ?, ?)',
          run.id,
          phase,
          seq,
          operation,
          latency,
          service,
        );
      }
      return 'new';
    });
}
