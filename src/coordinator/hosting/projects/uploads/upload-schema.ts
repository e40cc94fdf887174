import { Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { DateTime, FileParameter, Nullable } from '../../../http/parameters/types.js'
import { PublicUser } from '../../../http/presenters/present-user.js'

const MAX_BYTES = 100 * 1024 * 1024

export const Upload = Type.Object({
  file: FileParameter({ maxBytes: MAX_BYTES, description: 'File to upload, at most 100 MiB.' }),
})

export const UploadResult = Type.Object({
  id: described(Type.Integer(), 'ID of the upload.'),
  alt: described(Type.String(), 'Alternative text: the name of the file, without extension for media.'),
  url: described(Type.String(), 'URL of the file, relative to the project page.'),
  full_path: described(Type.String(), 'Path of the file, relative to the URL of the server.'),
  markdown: described(Type.String(), 'Markdown that embeds or links the file.'),
})

export const UploadRecord = Type.Object({
  id: described(Type.Integer(), 'ID of the upload.'),
  size: described(Type.Integer(), 'Size, in bytes.'),
  filename: described(Type.String(), 'Name of the file.'),
  created_at: described(DateTime(), 'Time of the upload.'),
  uploaded_by: described(Nullable(PublicUser), 'User who uploaded the file; null for a deleted account.'),
})

export const BySecret = Type.Object({
  secret: described(Type.String(), '32 hexadecimal digits of the URL of the file.'),
  filename: described(Type.String(), 'Name of the file.'),
})

export const ByUploadId = Type.Object({ upload_id: described(Type.Integer(), 'ID of the upload.') })
