import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../components/EmptyState.tsx';
import { Page } from '../components/Page.tsx';
import { paths } from '../routes.ts';

/** An address that no screen has. */
export function NothingHere(): ReactNode {
  return (
    <Page title="Nothing here">
      <EmptyState
        Icon={IconMapQuestion}
        title="This address leads nowhere"
        action={
          <Button component={Link} href={paths.home}>
            Go home
          </Button>
        }
      >
        What was here may have been deleted.
      </EmptyState>
    </Page>
  );
}
