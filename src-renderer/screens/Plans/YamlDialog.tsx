import { Button, Group, Modal, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Plan } from '../../../src-shared/model/plan.ts';
import { useCommand } from '../../api.tsx';
import { CopyBlock } from '../../components/CopyBlock.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';
import { saveFile } from '../../components/saveFile.ts';

/** The plan as the file that the terminal runs and another machine imports. */
export function YamlDialog(props: { plan: Plan; onClose: () => void }): ReactNode {
  const yaml = useCommand('plans.toYaml', { plan: props.plan });
  const fileName = fileNameOf(props.plan.name);
  return (
    <Modal opened onClose={props.onClose} title={`${props.plan.name} as YAML`} size="lg">
      <Loaded query={yaml} skeleton={<SkeletonBlock height={240} />}>
        {(text) => (
          <Stack gap={16}>
            <CopyBlock text={text} label={fileName} />
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

/** `TSBS on rpi-3` → `tsbs-on-rpi-3.yaml`. */
function fileNameOf(name: string): string {
  const stem = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${stem === '' ? 'plan' : stem}.yaml`;
}
