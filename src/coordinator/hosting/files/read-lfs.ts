import { Readable } from 'node:stream'

import type { Project } from '../../access/caller.js'
import { disposition } from '../../http/header-text.js'
import { stream, type StreamAnswer } from '../../http/operation.js'
import { blobKey, type LfsObjectDeps, objectsByOid } from '../lfs/objects.js'
import { MAX_POINTER_BYTES, parsePointer } from '../lfs/pointers.js'
import type { Reading } from '../repositories/browse/reading.js'
import { type FileFacts, fileHeaders } from './find-file.js'

/** The Git LFS object to which the file points; undefined for other files and for objects the project lacks. */
export async function lfsAnswer(
  { database, blobs }: LfsObjectDeps,
  project: Project,
  reading: Reading,
  facts: FileFacts,
  isHead: boolean,
): Promise<StreamAnswer | undefined> {
  if (facts.size > MAX_POINTER_BYTES) return undefined
  const blob = await reading.objects.read(facts.blob_id, MAX_POINTER_BYTES)
  const pointer = blob && parsePointer(blob.content)
  const object = pointer && (await objectsByOid(database, project.id, [pointer.oid])).get(pointer.oid)
  if (!object) return undefined
  return stream(
    isHead ? Readable.from([]) : await blobs.read(blobKey(project.id, object.oid)),
    'application/octet-stream',
    {
      ...fileHeaders(facts),
      'content-length': String(object.size),
      'content-disposition': disposition('attachment', facts.file_name),
      'cache-control': 'no-store',
    },
  )
}
