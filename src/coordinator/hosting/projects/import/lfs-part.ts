import { createReadStream } from 'node:fs'
import { join } from 'node:path'

import { Type } from 'typebox'

import { isMissingFile } from '../../../../lib/files.js'
import { type TransferPart, transferPart } from '../../../http/archive-part.js'
import { invalidRecord } from '../../../http/errors.js'
import { described } from '../../../http/parameters/described.js'
import { LfsError } from '../../lfs/lfs-error.js'
import { allObjects, type LfsObjectDeps, storeObject } from '../../lfs/objects.js'
import { LFS_FOLDER } from '../export/archive-format.js'

const Transferred = Type.Object({
  oid: described(Type.String({ pattern: '^[0-9a-f]{64}$' }), 'SHA-256 of the content.'),
  size: described(Type.Integer({ minimum: 0 }), 'Size, in bytes.'),
})

/** Import of Git LFS objects, from an archive unpacked to `folder`. */
export function lfsPart(deps: LfsObjectDeps, folder: string): TransferPart {
  return transferPart({
    name: 'lfs_objects',
    schema: Transferred,
    read: ({ id }) => allObjects(deps.database, id),
    identityOf: ({ oid }) => oid,
    write: async ({ project }, { oid, size }) => {
      try {
        await storeObject(deps, project.id, { oid, size }, contentOf(join(folder, LFS_FOLDER, oid)))
      } catch (error) {
        if (isMissingFile(error)) throw invalidRecord({ file: ['is not in the archive'] })
        if (error instanceof LfsError) throw invalidRecord({ file: [error.message] })
        throw error
      }
    },
  })
}

/** Opens the file when it is read, so that an error reaches the reader. */
async function* contentOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>
}
