import { Button, Group, Modal, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Plan } from '../../../src-shared/model/plan.ts';
import { useCommand } from '../../api.tsx';
import { CopyBlock } from '../../components/CopyBlock.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';
import { saveFile } from '../../components/saveFile.ts';
import { LeftOutList } from './ReadPlan.tsx';

const fileName = 'config.yaml';

/** The plan's load as a configuration of `tsbs_load`, and what such a file has no word for. */
export function TsbsDialog(props: { plan: Plan; onClose: () => void }): ReactNode {
  const config = useCommand('plans.toTsbsConfig', { plan: props.plan });
  return (
    <Modal opened onClose={props.onClose} title={`${props.plan.name} for tsbs_load`} size="lg">
      <Loaded query={config} skeleton={<SkeletonBlock height={240} />}>
        {({ text, leftOut }) => (
          <Stack gap={16}>
            <CopyBlock text={text} label={fileName} />
            <LeftOutList leftOut={leftOut} />
            <Group justify="flex-end">
              <Button
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                onClick={() => saveFile(fileName, text)}
              >
                Save {fileName}
              </Button>
            </Group>
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}
