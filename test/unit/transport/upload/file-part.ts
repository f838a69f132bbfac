import type { MultipartPart } from '../../../../src/transport/upload/multipart.js';
import {
  chooseFilename,
  createUploadSource,
  type UploadData,
} from '../../../../src/transport/upload/upload.js';

/** Creates a file part. If the data has no file name, the field's name is the file name. */
export const file = (
  name: string,
  data: UploadData,
  more: { readonly size?: number; readonly filename?: string } = {},
): MultipartPart => ({
  name,
  source: createUploadSource(name, data, more.size),
  filename: more.filename ?? chooseFilename(data, name),
});
