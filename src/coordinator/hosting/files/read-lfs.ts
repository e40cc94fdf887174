import { Readable } from 'node:stream'

import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { disposition } from '../../http/header-text.js'
import { stream, type StreamResponse } from '../../http/operation.js'
import { type LfsObject, type LfsObjectDeps, objectsByOid, readLfsObject } from '../lfs/objects.js'
import { MAX_POINTER_BYTES, parsePointer } from '../lfs/pointers.js'
import type { Blob } from '../repositories/browse/blobs.js'
import type { Reading } from '../repositories/browse/reading.js'
import { type FileFacts, fileHeaders } from './find-file.js'

/** The Git LFS object to which the file points; undefined for other files and for objects the project lacks. */
export async function lfsResponse(
  { database, blobs }: LfsObjectDeps,
  project: Project,
  reading: Reading,
  facts: FileFacts,
  isHead: boolean,
): Promise<StreamResponse | undefined> {
  const object = await findLfsObject(database, project, reading, { id: facts.blob_id, size: facts.size })
  if (!object) return undefined
  return stream(isHead ? Readable.from([]) : await readLfsObject(blobs, object), 'application/octet-stream', {
    ...fileHeaders(facts),
    'content-length': String(object.size),
    'content-disposition': disposition('attachment', facts.file_name),
    'cache-control': 'no-store',
  })
}

/** The object of the project to which a blob points; undefined for other blobs. */
export async function findLfsObject(
  database: Database,
  project: Project,
  reading: Reading,
  { id, size }: Blob,
): Promise<LfsObject | undefined> {
  if (size > MAX_POINTER_BYTES) return undefined
  const blob = await reading.objects.readNamed(id, MAX_POINTER_BYTES)
  const pointer = parsePointer(blob.content)
  return pointer && (await objectsByOid(database, project.id, [pointer.oid])).get(pointer.oid)
}
