import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { Project } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import type { BlobStore } from '../storage/blob-store.js'
import { DifferentBlobError } from '../storage/errors.js'
import {
  countSecureFiles,
  deleteSecureFileRow,
  findSecureFile,
  insertSecureFile,
  type SecureFileRow,
} from './store.js'

/** Files that one project may have, as with the reference service. */
const MAX_FILES = 100

export interface SecureFileDeps {
  database: Database
  blobs: BlobStore
  secrets: SecretBox
}

interface NewFile {
  name: string
  file: { open(): Readable }
}

/**
 * Stores a file encrypted. Throws 400 if the name is taken or the project has the maximum number of files.
 */
export async function addSecureFile(
  { database, blobs, secrets }: SecureFileDeps,
  project: Project,
  { name, file }: NewFile,
): Promise<SecureFileRow> {
  if ((await countSecureFiles(database, project.id)) >= MAX_FILES) {
    throw invalidRecord({ base: [`Maximum number of secure files (${MAX_FILES}) exceeded`] })
  }
  const { size, sha256 } = await measure(file.open())
  const sealing = secrets.sealing(file.open())
  // Below the folder of the project, and deleted with it.
  const blobKey = `projects/${project.id}/secure-files/${randomUUID()}`
  await blobs.write(blobKey, sealing.body)
  try {
    return await insertSecureFile(database, {
      project_id: project.id,
      name,
      size,
      sha256,
      blob_key: blobKey,
      seal: sealing.seal(),
      created_at: Date.now(),
    })
  } catch (error) {
    await blobs.delete(blobKey)
    throw isUniqueViolation(error) ? invalidRecord({ name: ['has already been taken'] }) : error
  }
}

/** Throws 404. */
export async function requireSecureFile(
  { database }: SecureFileDeps,
  project: Project,
  id: number,
): Promise<SecureFileRow> {
  const found = await findSecureFile(database, project.id, id)
  if (!found) throw notFound('SecureFile')
  return found
}

/**
 * Returns the original bytes. The whole file is verified before the first byte is sent, so modified content
 * is never sent. Throws `DifferentBlobError` for a file that was modified, and `BlobMissingError`.
 */
export async function openSecureFile(
  { blobs, secrets }: SecureFileDeps,
  { blob_key, seal, sha256 }: SecureFileRow,
): Promise<Readable> {
  const open = async () => secrets.opened(await blobs.read(blob_key), seal)
  const measured = await measure(await open()).catch((error: unknown) => {
    if (!(error instanceof Error && error.message.includes('unable to authenticate data'))) throw error
    throw new DifferentBlobError(`The secure file ${blob_key}`, 'it cannot be decrypted', { cause: error })
  })
  if (measured.sha256 !== sha256)
    throw new DifferentBlobError(`The secure file ${blob_key}`, 'its bytes have another SHA-256 digest')
  return open()
}

/** Throws 404. */
export async function deleteSecureFile(
  { database, blobs }: SecureFileDeps,
  project: Project,
  id: number,
): Promise<void> {
  const removed = await deleteSecureFileRow(database, project.id, id)
  if (!removed) throw notFound('SecureFile')
  await blobs.delete(removed.blob_key)
}

async function measure(body: Readable): Promise<{ size: number; sha256: string }> {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    digest.update(chunk)
    size += chunk.length
  }
  return { size, sha256: digest.digest('hex') }
}
