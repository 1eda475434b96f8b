import { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import type { Query } from '../../../databases/driver.ts';
import { instantOf, timestamp } from '../../fields.ts';
import type { QuerySource, QuerySourceSpec } from '../../workload.ts';
import { useCases } from '../simulation.ts';
import { QueryDraws } from './draws.ts';
import { queryDescription, queryLabel } from './labels.ts';
import { drawnHosts, findQueryType, type IotType, nanosOfHours, type QueryType } from './queryTypes.ts';
import { questdbForm } from './questdb.ts';
import type { DrawnQuery, QueryForm } from './statements.ts';
import { timescaleForm } from './timescaledb.ts';

/** Which queries: the plain data of a `QuerySourceSpec`. `seed` is never 0 here. */
const specSchema = z.object({
  useCase: z.enum(useCases),
  type: z.string(),
  queries: z.int().min(0),
  scale: z.int().min(1),
  seed: z.int(),
  timestampStart: timestamp().transform(instantOf),
  timestampEnd: timestamp().transform(instantOf),
  timescaleUseTags: z.boolean().default(true),
  timescaleUseJson: z.boolean().default(false),
  timescaleUseTimeBucket: z.boolean().default(true),
});
type Spec = z.output<typeof specSchema>;

const forms: Record<string, (spec: Spec) => QueryForm> = {
  timescaledb: (spec) => timescale(spec, 'TimescaleDB', spec.timescaleUseTimeBucket),
  postgresql: (spec) => timescale(spec, 'PostgreSQL', false),
  questdb: () => questdbForm,
};
function timescale(spec: Spec, product: string, useTimeBucket: boolean): QueryForm {
  return timescaleForm({
    product,
    useTags: spec.timescaleUseTags,
    useJson: spec.timescaleUseJson,
    useTimeBucket,
  });
}

/** The queries of one type, the same as TSBS's for the same seed. */
export class TsbsQueries implements QuerySource {
  readonly label: string;
  readonly total: number;
  readonly #type: QueryType;
  readonly #form: QueryForm;
  readonly #draws: QueryDraws;
  #drawn = 0;
  #last: DrawnQuery | null = null;

  /** @throws AppError `unsupported` for a dialect or a query type that there is not */
  constructor(source: QuerySourceSpec, dialect: string) {
    const spec = specSchema.parse(source.parameters);
    const type = findQueryType(spec.type);
    const form = forms[dialect]?.(spec);
    if (type === undefined || form === undefined)
      throw new AppError({
        code: 'unsupported',
        message: `There is no query ${spec.type} for ${dialect}`,
        hint: `TSBS’s queries are there for ${Object.keys(forms).join(', ')}.`,
      });
    this.#type = type;
    this.#form = form;
    this.#draws = new QueryDraws(spec.seed, spec.scale, {
      begin: spec.timestampStart,
      end: spec.timestampEnd,
    });
    this.label = queryLabel(form.product, type);
    this.total = spec.queries;
  }

  at(index: number): Query {
    return { text: this.#form.text(this.#drawnAt(index)) };
  }

  /** TSBS's description of a query; `index` as for `at`. */
  descriptionAt(index: number): string {
    return queryDescription(this.#form.product, this.#drawnAt(index));
  }

  #drawnAt(index: number): DrawnQuery {
    if (index < this.#drawn - 1 || index >= this.total)
      throw new RangeError(`query ${index} asked for after ${this.#drawn} of ${this.total}`);
    for (; this.#drawn <= index; this.#drawn++) this.#last = this.#draw();
    if (this.#last === null) throw new Error('nothing was drawn');
    return this.#last;
  }

  #draw(): DrawnQuery {
    const type = this.#type;
    if (type.kind === 'iot') return this.#drawIot(type);
    const early = this.#form.hostsFirst(type) ? this.#draws.hosts(drawnHosts(type)) : null;
    const window = type.hours > 0 ? this.#draws.window(nanosOfHours(type.hours)) : null;
    return { type, window, hosts: early ?? this.#draws.hosts(drawnHosts(type)), fleet: '' };
  }

  #drawIot(type: QueryType & IotType): DrawnQuery {
    const window = type.hours > 0 ? this.#draws.window(nanosOfHours(type.hours)) : null;
    const hosts = this.#draws.hosts(drawnHosts(type));
    return { type, window, hosts, fleet: type.draw.endsWith('fleet') ? this.#draws.fleet() : '' };
  }
}
