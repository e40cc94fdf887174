import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, FileParameter, Nullable } from '../../http/parameters/types.js'

const MAX_BYTES = 5 * 1024 * 1024

export const SecureFile = Type.Object({
  id: described(Type.Integer(), 'ID of the file.'),
  name: described(Type.String(), 'Name of the file.'),
  checksum: described(Type.String(), 'Checksum of the content, in hexadecimal.'),
  checksum_algorithm: described(Type.String(), 'Algorithm of the checksum; always sha256.'),
  created_at: described(DateTime(), 'Time of the upload.'),
  expires_at: described(
    Nullable(DateTime()),
    'Expiry time of the certificate in the file; always null, since files are not parsed.',
  ),
  metadata: described(
    Type.Null(),
    'Metadata of the certificate in the file; always null, since files are not parsed.',
  ),
  file_extension: described(
    Nullable(Type.String()),
    'Extension of the file name, without the dot; null if there is none.',
  ),
})
export type SecureFile = Static<typeof SecureFile>

export const NewSecureFile = Type.Object({
  name: described(Type.String({ minLength: 1, maxLength: 255 }), 'Name of the file; unique in the project.'),
  file: FileParameter({ maxBytes: MAX_BYTES, description: 'File to upload, at most 5 MiB.' }),
})

export const BySecureFileId = Type.Object({
  secure_file_id: described(Type.Integer(), 'ID of the file.'),
})
