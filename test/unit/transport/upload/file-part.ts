import type { MultipartPart } from '../../../../src/transport/upload/open.js';
import {
  chooseFilename,
  type UploadData,
  uploadSource,
} from '../../../../src/transport/upload/upload.js';

/** A part that is a file, named by its data or else by its field. */
export const file = (
  name: string,
  data: UploadData,
  more: { readonly size?: number; readonly filename?: string } = {},
): MultipartPart => ({
  name,
  source: uploadSource(name, data, more.size),
  filename: more.filename ?? chooseFilename(data, name),
});
