import { posix } from 'node:path'

import { isTreePath } from '../../../git/names.js'
import type { Project } from '../../access/caller.js'
import { invalidParameters, notFound } from '../../http/errors.js'
import { headerText } from '../../http/header-text.js'
import { blobSha256 } from '../repositories/browse/blobs.js'
import { lastCommitOf } from '../repositories/browse/commit-log.js'
import type { Reading } from '../repositories/browse/reading.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { defaultRevision, requireCommit } from '../repositories/revisions.js'
import type { FileRecord } from './schema.js'

/** A file record without its content. */
export type FileFacts = Omit<FileRecord, 'content'>

/** Throws 400 for an empty path and for one outside the repository. */
export function checkFilePath(path: string): void {
  if (!isTreePath(path)) throw invalidParameters('file_path should be a valid file path')
}

/** Throws 404 for an unknown revision, and for a path without a file. */
export async function requireFile(
  { repositories }: PushDeps,
  project: Project,
  reading: Reading,
  { file_path: path, ref = 'HEAD' }: { file_path: string; ref?: string },
): Promise<FileFacts> {
  checkFilePath(path)
  const revision = ref === 'HEAD' || ref === '' ? defaultRevision(project) : ref
  const sha = await requireCommit(repositories, project, revision)
  const entry = await findEntry(reading, sha, path)
  if (entry?.type !== 'blob') throw notFound('File')
  return {
    file_name: posix.basename(path),
    file_path: path,
    size: entry.size,
    encoding: 'base64',
    content_sha256: await blobSha256(reading, entry),
    ref,
    blob_id: entry.id,
    commit_id: sha,
    last_commit_id: (await lastCommitOf(reading, sha, path)) ?? sha,
    execute_filemode: entry.mode === '100755',
  }
}

/** These facts as headers, under both names that clients read (API, E4). */
export function fileHeaders(facts: FileFacts): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [field, value] of Object.entries(facts)) {
    const name = field.replaceAll('_', '-')
    for (const prefix of ['x-gitlab-', 'x-service-']) headers[prefix + name] = headerText(String(value))
  }
  return headers
}
