import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'

import { Type } from 'typebox'

import { isMissingFile } from '../../../../lib/files.js'
import { type TransferPart, transferPart } from '../../../http/archive-part.js'
import { invalidRecord } from '../../../http/errors.js'
import { described } from '../../../http/parameters/described.js'
import { UPLOADS_FOLDER } from '../export/archive-format.js'
import { allUploads, findUploadBySecret, saveUpload, type UploadDeps } from '../uploads/uploads.js'

const Transferred = Type.Object({
  secret: described(
    Type.String({ pattern: '^[0-9a-f]{32}$' }),
    '32 hexadecimal digits of the URL of the file.',
  ),
  filename: described(Type.String({ minLength: 1, maxLength: 255 }), 'Name of the file.'),
})

/** Import of uploaded files, from an archive unpacked to `folder`. */
export function uploadPart(deps: UploadDeps, folder: string): TransferPart {
  return transferPart({
    name: 'uploads',
    schema: Transferred,
    read: ({ id }) => allUploads(deps.database, id),
    identityOf: ({ secret }) => secret,
    write: async ({ project, importer }, { secret, filename }) => {
      const path = join(folder, UPLOADS_FOLDER, secret)
      if (!(await isThere(path))) throw invalidRecord({ file: ['is not in the archive'] })
      const file = { filename, open: () => createReadStream(path) }
      // If the exported project still exists here, its files keep their URLs and the new ones get others.
      const isTaken = (await findUploadBySecret(deps.database, secret)) !== undefined
      await saveUpload(deps, project, importer, file, ...(isTaken ? [] : [secret]))
    },
  })
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (isMissingFile(error)) return false
    throw error
  }
}
