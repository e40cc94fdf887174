import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { OneOf } from '../../../http/parameters/types.js'

/** An entry of a folder of an artifacts archive. */
export const ArtifactTreeEntry = Type.Object({
  name: described(Type.String(), 'Name within the folder.'),
  path: described(Type.String(), 'Path within the archive.'),
  type: described(OneOf('directory', 'file'), 'Type of the entry.'),
  size: described(Type.Integer(), 'Unpacked size, in bytes; of a directory, that of all files below it.'),
  entries: described(Type.Optional(Type.Integer()), 'Number of entries; only for a directory.'),
})
export type ArtifactTreeEntry = Static<typeof ArtifactTreeEntry>
