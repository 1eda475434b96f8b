import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TextTable } from '../../src-shared/runTables.ts';
import classes from './FiguresTables.module.css';

/** Tables of figures, a panel each; a phase of which no operation is known is its title alone. */
export function FiguresTables(props: { tables: readonly TextTable[] }): ReactNode {
  return props.tables.map(({ title, header, rows }) => (
    <section key={title} className="panel" aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={480}>
          <Table verticalSpacing={4} className={classes.table} aria-label={title}>
            <Table.Thead>
              <Table.Tr>
                {header.map((cell, i) => (
                  <Table.Th key={cell} ta={i === 0 ? 'left' : 'right'}>
                    {cell}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(([name, ...cells]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{name}</Table.Th>
                  {cells.map((cell, i) => (
                    <Table.Td key={header[i + 1]} ta="right">
                      {cell}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  ));
}
