import { z } from 'zod';
import { runHeadSchema, runSchema } from './run.ts';

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
  /** Several sides in it are compared with each other. */
  compares: z.boolean(),
  /** Only of runs that have steps of this workload; null: of all. */
  workload: z.string().nullable(),
});
export type ExportFormatInfo = z.infer<typeof exportFormatSchema>;

/** A file to be saved or shown. */
export const exportedFileSchema = z.object({ fileName: z.string(), mediaType: z.string(), text: z.string() });

/** `there`: a run with that id was listed already; `restored`: it had been deleted, and is back. */
export const importedRunSchema = z.object({
  head: runHeadSchema,
  state: z.enum(['new', 'there', 'restored']),
});
export type ImportedRun = z.infer<typeof importedRunSchema>;

/** Published figures that ship with Benchberry. */
export const galleryReferenceSchema = z.object({
  /** Id of the sample plan that does the same. */
  presetId: z.string().nullable(),
  run: runSchema,
});
export type GalleryReference = z.infer<typeof galleryReferenceSchema>;
