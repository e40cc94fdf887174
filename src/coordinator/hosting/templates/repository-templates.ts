import { posix } from 'node:path'

import type { Project } from '../../access/caller.js'
import { blobBytes, SMALL_BLOB_BYTES } from '../repositories/browse/blobs.js'
import type { Reading } from '../repositories/browse/reading.js'
import { findEntry, treeEntries, type TreeEntry } from '../repositories/browse/tree-entries.js'
import type { Repositories } from '../repositories/repositories.js'
import { defaultRevision } from '../repositories/revisions.js'

/** Folders of the repository with the templates for descriptions. */
const FOLDERS = {
  issues: '.gitlab/issue_templates',
  merge_requests: '.gitlab/merge_request_templates',
} as const
export type DescriptionKind = keyof typeof FOLDERS

const ENDING = '.md'
/** Maximum number of templates in one folder; further ones are not offered. */
const MOST_TEMPLATES = 1000

/** Names of the templates on the default branch, in git's order; none without a repository. */
export async function listDescriptionTemplates(
  repositories: Pick<Repositories, 'resolveCommit'>,
  project: Project,
  reading: Reading,
  kind: DescriptionKind,
): Promise<string[]> {
  const folder = FOLDERS[kind]
  const sha = await repositories.resolveCommit(project.id, defaultRevision(project))
  const tree = sha === undefined ? undefined : await findEntry(reading, sha, folder)
  if (tree?.type !== 'tree') return []
  const names: string[] = []
  for await (const entry of treeEntries(reading, tree.id, { prefix: `${folder}/`, isRecursive: false })) {
    if (isTemplate(entry)) names.push(posix.basename(entry.path, ENDING))
    if (names.length >= MOST_TEMPLATES) break
  }
  return names
}

/** Text of a template of the default branch; undefined if there is none, or it is larger than 1 MiB. */
export async function readDescriptionTemplate(
  repositories: Pick<Repositories, 'resolveCommit'>,
  project: Project,
  reading: Reading,
  { kind, name }: { kind: DescriptionKind; name: string },
): Promise<string | undefined> {
  if (name === '' || name.includes('/')) return undefined
  const sha = await repositories.resolveCommit(project.id, defaultRevision(project))
  if (sha === undefined) return undefined
  const entry = await findEntry(reading, sha, `${FOLDERS[kind]}/${name}${ENDING}`)
  if (!entry || !isTemplate(entry) || entry.size > SMALL_BLOB_BYTES) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of blobBytes(reading, entry)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A file, not a symbolic link. */
function isTemplate({ type, mode, path }: TreeEntry): boolean {
  const name = posix.basename(path)
  return type === 'blob' && mode !== '120000' && name.endsWith(ENDING) && name !== ENDING
}
