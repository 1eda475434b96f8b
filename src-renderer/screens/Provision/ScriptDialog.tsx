import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useCommand } from '../../api.tsx';
import { CopyBlock } from '../../components/CopyBlock.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';
import { saveFile } from '../../components/saveFile.ts';

/** The whole plan as one shell script, to be read, copied or kept. */
export function ScriptDialog(props: {
  id: string;
  hostName: string;
  opened: boolean;
  onClose: () => void;
}): ReactNode {
  const script = useCommand('provision.script', { id: props.id }, { enabled: props.opened });
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="The plan as a shell script" size="xl">
      <Stack gap={12}>
        <Text size="sm">
          It does the same as Apply, and nothing the second time. It holds no password: it asks for what it
          needs.
        </Text>
        <Loaded query={script} skeleton={<SkeletonBlock height={320} />}>
          {(text) => (
            <>
              <CopyBlock text={text} label="Script" maxLines={20} />
              <Group justify="flex-end">
                <Button
                  variant="default"
                  leftSection={<IconDownload size={16} aria-hidden />}
                  onClick={() =>
                    saveFile(`set-up-${fileName(props.hostName)}.sh`, text, 'text/x-shellscript')
                  }
                >
                  Download
                </Button>
              </Group>
            </>
          )}
        </Loaded>
      </Stack>
    </Modal>
  );
}

/** Only what every file system takes. */
function fileName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-|-$/g, '') || 'host';
}
