import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { RunSeries } from '../../src-shared/model/runSeries.ts';

/** The series whose id begins with the given text. @throws AppError `not-found`, `bad-input` */
export async function findSeries(api: Api, prefix: string): Promise<RunSeries> {
  const all = await api.call('series.list', null);
  const found = all.filter(({ id }) => id.startsWith(prefix.toLowerCase()));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new AppError({
    code: found.length === 0 ? 'not-found' : 'bad-input',
    message:
      found.length === 0 ? `There is no series ${prefix}` : `${found.length} series begin with ${prefix}`,
    hint: found.length === 0 ? 'benchberry series list shows them.' : 'Give more characters of the id.',
  });
}
