import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { Selectable } from 'kysely'

import type { Project, User } from '../../../access/caller.js'
import type { BlobStore } from '../../../ci/storage/blob-store.js'
import { readExpected } from '../../../ci/storage/read-expected.js'
import { safeFileName } from '../../../ci/storage/safe-file-name.js'
import { sniffType } from '../../../ci/storage/sniff-type.js'
import type { Database } from '../../../database/connect.js'
import { inPages } from '../../../database/in-pages.js'
import type { ProjectUploadTable } from '../../../database/tables/projects.js'
import type { UserTable } from '../../../database/tables/users.js'
import type { Paging } from '../../../http/page.js'
import { listRows, type Rows } from '../../../http/paging/list-rows.js'
import { usersById } from '../../../http/presenters/users-by-id.js'

export type UploadRow = Selectable<ProjectUploadTable>

export interface UploadDeps {
  database: Database
  blobs: BlobStore
}

interface GivenFile {
  filename: string
  open(): Readable
}

/**
 * Stores a file under a URL that cannot be guessed. Its content type is detected from its bytes, not from its
 * name.
 */
export async function saveUpload(
  { database, blobs }: UploadDeps,
  project: Project,
  uploader: User,
  file: GivenFile,
  secret = randomBytes(16).toString('hex'),
): Promise<UploadRow> {
  const { type } = await sniffType(file.open())
  const key = blobKey(project.id, secret)
  const { size } = await blobs.write(key, file.open())
  try {
    return await database
      .insertInto('project_upload')
      .values({
        project_id: project.id,
        uploader_id: uploader.id,
        secret,
        size,
        content_type: type,
        filename: safeFileName(file.filename),
        created_at: Date.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    await blobs.delete(key)
    throw error
  }
}

/** Blob key below the folder of the project, which is deleted with the project. */
function blobKey(projectId: number, secret: string): string {
  return `projects/${projectId}/uploads/${secret}`
}

/** Throws `DifferentBlobError` if the size is not that of the row, and `BlobMissingError`. */
export function openUpload(
  { blobs }: UploadDeps,
  { project_id, secret, size }: UploadRow,
): Promise<Readable> {
  return readExpected(blobs, blobKey(project_id, secret), { size })
}

/** Finds an upload of any project. */
export function findUploadBySecret(database: Database, secret: string): Promise<UploadRow | undefined> {
  return database.selectFrom('project_upload').selectAll().where('secret', '=', secret).executeTakeFirst()
}

/** The upload with this secret; undefined if its file name is different. */
export function findUpload(
  database: Database,
  projectId: number,
  secret: string,
  filename: string,
): Promise<UploadRow | undefined> {
  return database
    .selectFrom('project_upload')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('secret', '=', secret)
    .where('filename', '=', filename)
    .executeTakeFirst()
}

/** False if there is no upload with this ID. */
export async function deleteUpload(
  { database, blobs }: UploadDeps,
  projectId: number,
  id: number,
): Promise<boolean> {
  const row = await database
    .deleteFrom('project_upload')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returning('secret')
    .executeTakeFirst()
  if (!row) return false
  await blobs.delete(blobKey(projectId, row.secret))
  return true
}

/** All uploads of a project, oldest first. */
export function allUploads(database: Database, projectId: number): AsyncIterable<UploadRow> {
  return inPages(
    database.selectFrom('project_upload').selectAll().where('project_id', '=', projectId),
    'project_upload',
  )
}

export interface ListedUpload {
  row: UploadRow
  uploader: Selectable<UserTable> | undefined
}

/** Latest first. */
export async function listUploads(
  database: Database,
  projectId: number,
  paging: Paging,
): Promise<Rows<ListedUpload>> {
  const matching = database.selectFrom('project_upload').where('project_id', '=', projectId)
  const order = { table: 'project_upload', column: 'id', direction: 'desc' } as const
  const { rows, total } = await listRows(database, matching, paging, order)
  const uploaders = await usersById(
    database,
    rows.map(({ uploader_id }) => uploader_id),
  )
  return { rows: rows.map((row) => ({ row, uploader: uploaders.get(row.uploader_id ?? 0) })), total }
}
