import { ActionIcon, Checkbox, Code, Group, Popover, Select, Table, Text, TextInput } from '@mantine/core';
import { IconHelpCircle, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { aboutKey, type FilterTerm, parseRunFilter } from '../../../src-shared/filter/runFilter.ts';
import { type FacetKey, facetKeys } from '../../../src-shared/model/facet.ts';
import type { RunFacet } from '../../../src-shared/model/run.ts';
import { type VerdictCode, verdictCodes, verdictLabels } from '../../../src-shared/model/verdict.ts';
import { formatCount } from '../../../src-shared/units.ts';
import { askedFor, withTerm } from './filterText.ts';
import classes from './Runs.module.css';

/** Keys that have a list of their own beside the field. */
const listed: { key: FacetKey; any: string; label: string; fewest: number }[] = [
  { key: 'engine', any: 'Any engine', label: 'Only runs on this engine', fewest: 2 },
  { key: 'pi', any: 'Any Pi', label: 'Only runs on this model of Raspberry Pi', fewest: 1 },
  { key: 'version', any: 'Any version', label: 'Only runs with this version of the server', fewest: 2 },
  { key: 'tag', any: 'Any tag', label: 'Only runs with this tag', fewest: 1 },
  { key: 'verdict', any: 'Any verdict', label: 'Only runs with this verdict', fewest: 2 },
];
const ages = [
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '52w', label: 'Last 52 weeks' },
];

/** One filter, typed or put together from lists: what is chosen there is written into the field. */
export function FilterBar(props: {
  text: string;
  onText: (text: string) => void;
  facets: readonly RunFacet[];
  archived: number;
}): ReactNode {
  const { text, onText, facets, archived } = props;
  const { terms, problems } = parseRunFilter(text, new Date());
  const [problem] = problems;
  const since = terms.find(({ kind }) => kind === 'since');
  return (
    <Group gap={8} mb={12} align="flex-start">
      <TextInput
        aria-label="Search runs"
        placeholder="Words, tag:nvme, since:7d"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<FilterHelp />}
        value={text}
        error={problem && [problem.message, problem.hint].filter(Boolean).join('. ')}
        onChange={(event) => onText(event.currentTarget.value)}
        className={classes.search ?? ''}
      />
      {listed.map(({ key, any, label, fewest }) => (
        <FacetSelect
          key={key}
          any={any}
          label={label}
          options={facets.filter((facet) => facet.key === key)}
          fewest={fewest}
          value={askedFor(terms, key)}
          onValue={(value) =>
            onText(
              withTerm(
                text,
                (term) => term.kind === 'facet' && term.key === key && !term.not,
                value === null ? null : { kind: 'facet', key, value, not: false },
              ),
            )
          }
        />
      ))}
      <Select
        aria-label="Only runs since"
        placeholder="Any date"
        data={ages}
        value={since?.value ?? null}
        onChange={(value) => onText(withTerm(text, ({ kind }) => kind === 'since', sinceTerm(value)))}
        clearable
        w={148}
      />
      {archived > 0 && (
        <Checkbox
          label={`Archived (${formatCount(archived)})`}
          checked={terms.some(({ kind }) => kind === 'is')}
          onChange={(event) =>
            onText(
              withTerm(text, ({ kind }) => kind === 'is', event.currentTarget.checked ? archivedTerm : null),
            )
          }
          mt={8}
        />
      )}
    </Group>
  );
}

const archivedTerm: FilterTerm = { kind: 'is', value: 'archived', not: false };

function sinceTerm(value: string | null): FilterTerm | null {
  // What moment it stands for is found out when it is read.
  return value === null ? null : { kind: 'since', value, at: '', not: false };
}

function FacetSelect(props: {
  any: string;
  label: string;
  options: readonly RunFacet[];
  fewest: number;
  value: string | null;
  onValue: (value: string | null) => void;
}): ReactNode {
  const { options, value } = props;
  if (options.length < props.fewest && value === null) return null;
  const data = options.map((option) => ({ value: option.value, label: shown(option) }));
  // A value that was typed, and a part of a name, are in no list.
  const known = value === null || data.some((each) => each.value === value);
  return (
    <Select
      aria-label={props.label}
      placeholder={props.any}
      data={known ? data : [{ value, label: value }, ...data]}
      value={value}
      onChange={props.onValue}
      clearable
      searchable
      limit={100}
      w={160}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

function shown({ key, value, runs }: RunFacet): string {
  const code: VerdictCode | undefined = verdictCodes.find((known) => key === 'verdict' && known === value);
  return `${code === undefined ? value : verdictLabels[code]} (${formatCount(runs)})`;
}

function FilterHelp(): ReactNode {
  return (
    <Popover width={440} position="bottom-start">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size={24} aria-label="What a search can ask for">
          <IconHelpCircle size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" mb={8}>
          Words are looked for in name, plan, target, server, tags and notes. All terms must hold; a minus
          before one turns it round. A text with spaces goes in quotes.
        </Text>
        <Table verticalSpacing={2} fz="sm">
          <Table.Tbody>
            {[...facetKeys, 'since', 'until', 'is'].map((key) => (
              <Table.Tr key={key}>
                <Table.Td>
                  <Code>{key}:</Code>
                </Table.Td>
                <Table.Td>{aboutKey(key)?.replace(`${key}: takes `, '')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" mt={8}>
          For example <Code>tag:nvme -verdict:valid pi:5 since:2026-11-01</Code>
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}
