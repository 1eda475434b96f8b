import { Anchor, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { headRate } from '../../src-shared/headRate.ts';
import { HeadRate } from '../components/HeadRate.tsx';
import { paths } from '../routes.ts';
import classes from './Gallery.module.css';
import { RunPreset } from './RunPreset.tsx';
import { type Preset, useGallery } from './useGallery.ts';

/** Benchmarks that others have published: what they found, and the way to one's own figures beside it. */
export function Gallery(): ReactNode {
  const presets = useGallery();
  if (presets === undefined || presets.length === 0) return null;
  return (
    <section aria-labelledby="gallery-title">
      <h2 id="gallery-title" className={classes.heading}>
        Published benchmarks
      </h2>
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing={16}>
        {presets.map((preset) => (
          <PresetCard key={preset.plan.id} preset={preset} />
        ))}
      </SimpleGrid>
    </section>
  );
}

function PresetCard(props: { preset: Preset }): ReactNode {
  const { plan, references } = props.preset;
  const source = references[0]?.printed?.source;
  return (
    <article className={classes.card}>
      <Anchor component={Link} href={paths.plan(plan.id)} fw={600} c="inherit" className={classes.name}>
        {plan.plan.name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {[source?.title, source?.date].filter(Boolean).join(', ')}
      </Text>
      <ul className={classes.references}>
        {references.map((reference) => (
          <li key={reference.id} className={classes.reference}>
            <Anchor
              component={Link}
              href={paths.run(reference.id)}
              size="sm"
              c="var(--accent-text)"
              underline="always"
              className={classes.name}
            >
              {reference.name}
            </Anchor>
            <span className={`num ${classes.figure}`}>
              {headRate(reference) === null ? (
                <span className="quiet">no rate told</span>
              ) : (
                <HeadRate head={reference} />
              )}
            </span>
          </li>
        ))}
      </ul>
      <div>
        <RunPreset preset={props.preset} compact />
      </div>
    </article>
  );
}
