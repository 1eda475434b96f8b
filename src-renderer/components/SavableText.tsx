import { Button, Group, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyBlock } from './CopyBlock.tsx';
import { saveFile } from './saveFile.ts';

/** A text to be copied, or saved as a file of this name. Children stand between the text and the button. */
export function SavableText(props: { text: string; fileName: string; children?: ReactNode }): ReactNode {
  const { text, fileName } = props;
  return (
    <Stack gap={16}>
      <CopyBlock text={text} label={fileName} />
      {props.children}
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
  );
}
