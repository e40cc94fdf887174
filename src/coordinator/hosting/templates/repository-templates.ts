import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'

import type { Project } from '../../access/caller.js'
import { blobBytes, SMALL_BLOB_BYTES } from '../repositories/browse/blobs.js'
import type { Reading } from '../repositories/browse/reading.js'
import { findEntry, treeEntries, type TreeEntry } from '../repositories/browse/tree-entries.js'
import type { Repositories } from '../repositories/repositories.js'
import { defaultRevision } from '../repositories/revisions.js'

/** A folder of a repository whose files with the ending are templates. */
export interface TemplateFolder {
  folder: string
  ending: string
}

/** Folders with the templates for descriptions. */
export const DESCRIPTION_FOLDERS = {
  issues: { folder: '.gitlab/issue_templates', ending: '.md' },
  merge_requests: { folder: '.gitlab/merge_request_templates', ending: '.md' },
} satisfies Record<string, TemplateFolder>
export type DescriptionKind = keyof typeof DESCRIPTION_FOLDERS

/** Maximum number of templates in one folder; further ones are not offered. */
const MAX_TEMPLATES = 1000

/** Names of the templates on the default branch, in git's order; none without a repository. */
export async function listFilesIn(
  repositories: Pick<Repositories, 'resolveCommit'>,
  project: Project,
  reading: Reading,
  { folder, ending }: TemplateFolder,
): Promise<string[]> {
  const sha = await repositories.resolveCommit(project.id, defaultRevision(project))
  const tree = sha === undefined ? undefined : await findEntry(reading, sha, folder)
  if (tree?.type !== 'tree') return []
  const names: string[] = []
  for await (const entry of treeEntries(reading, tree.id, { prefix: `${folder}/`, isRecursive: false })) {
    if (isTemplate(entry, ending)) names.push(posix.basename(entry.path, ending))
    if (names.length >= MAX_TEMPLATES) break
  }
  return names
}

/** Text of a template of the default branch; undefined if there is none, or it is larger than 1 MiB. */
export async function readFileIn(
  repositories: Pick<Repositories, 'resolveCommit'>,
  project: Project,
  reading: Reading,
  { folder, ending }: TemplateFolder,
  name: string,
): Promise<string | undefined> {
  if (name === '' || name.includes('/')) return undefined
  const sha = await repositories.resolveCommit(project.id, defaultRevision(project))
  if (sha === undefined) return undefined
  const entry = await findEntry(reading, sha, `${folder}/${name}${ending}`)
  if (!entry || !isTemplate(entry, ending) || entry.size > SMALL_BLOB_BYTES) return undefined
  return (await buffer(blobBytes(reading, entry))).toString()
}

/** A file, not a symbolic link. */
function isTemplate({ type, mode, path }: TreeEntry, ending: string): boolean {
  const name = posix.basename(path)
  return type === 'blob' && mode !== '120000' && name.endsWith(ending) && name !== ending
}
