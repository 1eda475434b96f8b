import { AppError } from '../../src-shared/errors.ts';
import type { RunRepository } from '../store/repositories.ts';

const mostTags = 20;

/**
 * Adds tags to runs and takes tags off, on all of them or on none.
 * @returns the runs that this changed
 * @throws AppError `not-found`; `bad-input` where one would have too many
 */
export function tagRuns(
  runs: RunRepository,
  ids: readonly string[],
  add: readonly string[],
  remove: readonly string[],
): string[] {
  const changes = ids.flatMap((id) => {
    const run = runs.get(id);
    if (run === null) throw new AppError({ code: 'not-found', message: `There is no run ${id}` });
    const tags = [...new Set([...run.tags.filter((tag) => !remove.includes(tag)), ...add])];
    if (tags.length > mostTags) {
      throw new AppError({
        code: 'bad-input',
        message: `${run.name} would have ${tags.length} tags, and ${mostTags} are the most`,
        hint: 'Take a tag off it, or leave it out.',
      });
    }
    return tags.join('\n') === run.tags.join('\n') ? [] : [{ id, tags }];
  });
  for (const { id, tags } of changes) runs.update(id, { tags });
  return changes.map(({ id }) => id);
}
