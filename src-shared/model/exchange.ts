import { z } from 'zod';

/** A format that runs are exported in, as menus and help show it. */
export const exportFormatSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  /** Of the file, without a dot. */
  extension: z.string(),
  mediaType: z.string(),
  /** How many runs one file may hold. */
  most: z.int().positive(),
});
export type ExportFormatInfo = z.infer<typeof exportFormatSchema>;

/** A file to be saved or shown. */
export const exportedFileSchema = z.object({ fileName: z.string(), mediaType: z.string(), text: z.string() });
export type ExportedFile = z.infer<typeof exportedFileSchema>;
