import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, FileParameter, Nullable } from '../../http/parameters/types.js'

export const MAX_BYTES = 5 * 1024 * 1024

export const SecureFile = Type.Object({
  id: described(Type.Integer(), 'Number of the file.'),
  name: described(Type.String(), 'Name of the file.'),
  checksum: described(Type.String(), 'Digest of its bytes, hex.'),
  checksum_algorithm: described(Type.String(), 'How the digest is made; always sha256.'),
  created_at: described(DateTime(), 'When it came.'),
  expires_at: described(
    Nullable(DateTime()),
    'When what it holds runs out; always null, for nothing looks into it.',
  ),
  metadata: described(Type.Null(), 'What it holds; always null, for nothing looks into it.'),
  file_extension: described(
    Nullable(Type.String()),
    'What comes after the last dot of its name; null = none.',
  ),
})
export type SecureFile = Static<typeof SecureFile>

export const NewSecureFile = Type.Object({
  name: described(
    Type.String({ minLength: 1, maxLength: 255 }),
    'Name of the file; one of the project has it.',
  ),
  file: FileParameter({ maxBytes: MAX_BYTES, description: 'The file, at most 5 MiB.' }),
})

export const BySecureFileId = Type.Object({
  secure_file_id: described(Type.Integer(), 'Number of the file.'),
})
