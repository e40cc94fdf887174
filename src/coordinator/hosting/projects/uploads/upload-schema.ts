import { Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { DateTime, FileParameter, Nullable } from '../../../http/parameters/types.js'
import { PublicUser } from '../../../http/presenters/present-user.js'

const MAX_BYTES = 100 * 1024 * 1024

export const Upload = Type.Object({
  file: FileParameter({ maxBytes: MAX_BYTES, description: 'The file, at most 100 MiB.' }),
})

export const UploadResult = Type.Object({
  id: described(Type.Integer(), 'Number of the upload.'),
  alt: described(Type.String(), 'Name of the file without its extension, for media.'),
  url: described(Type.String(), 'Where it is served, below the page of the project.'),
  full_path: described(Type.String(), 'Where it is served, below the address of the server.'),
  markdown: described(Type.String(), 'What shows or links it in a text.'),
})

export const UploadRecord = Type.Object({
  id: described(Type.Integer(), 'Number of the upload.'),
  size: described(Type.Integer(), 'Bytes.'),
  filename: described(Type.String(), 'Name of the file.'),
  created_at: described(DateTime(), 'When it came.'),
  uploaded_by: described(Nullable(PublicUser), 'Who brought it; null when the account is gone.'),
})

export const BySecret = Type.Object({
  secret: described(Type.String(), '32 hex digits of its address.'),
  filename: described(Type.String(), 'Name of the file.'),
})

export const ByUploadId = Type.Object({ upload_id: described(Type.Integer(), 'Number of the upload.') })
