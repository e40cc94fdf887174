import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { GitError } from '../../../../git/errors.js'
import { isMergeRequestRef, MERGE_REQUEST_HEADS } from '../../../../git/names.js'
import { runGit } from '../../../../git/run-git.js'
import { isMissingFile } from '../../../../lib/files.js'
import type { Repositories } from '../../repositories/repositories.js'
import { memorySettings } from '../../repositories/service-settings.js'
import { BUNDLE_FILE, WIKI_FILE } from '../export/archive-format.js'
import { cloneInto, type CloneSource, fetchRefs } from './clone.js'
import { ImportError } from './import-error.js'

/** Git settings to fetch from a local file written by this process. */
const LOCAL = { 'protocol.file.allow': 'always' }

/**
 * Creates the repository of a project from the bundle in `folder`, or an empty one without a bundle. An
 * existing repository is kept. Throws `ImportError` for a bundle that is invalid or incomplete or contains
 * malicious objects.
 */
export async function unbundle(
  repositories: Pick<Repositories, 'path' | 'withSlot' | 'create'>,
  projectId: number,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const file = join(folder, BUNDLE_FILE)
  if (!(await isThere(file))) {
    await repositories.create(projectId)
    return
  }
  await unbundleFile(repositories, projectId, { folder, file, moreRefs: MERGE_REQUEST_HEADS }, signal)
}

/** Creates the repository of the wiki from the bundle in `folder`. False without a bundle. Throws as `unbundle` does. */
export async function unbundleWiki(
  wikiRepositories: Pick<Repositories, 'path' | 'withSlot'>,
  projectId: number,
  folder: string,
  signal: AbortSignal,
): Promise<boolean> {
  const file = join(folder, WIKI_FILE)
  if (!(await isThere(file))) return false
  await unbundleFile(wikiRepositories, projectId, { folder, file, branch: 'main' }, signal)
  return true
}

interface BundleSource extends Pick<CloneSource, 'branch' | 'moreRefs'> {
  folder: string
  file: string
}

async function unbundleFile(
  repositories: Pick<Repositories, 'path' | 'withSlot'>,
  projectId: number,
  { folder, file, ...wanted }: BundleSource,
  signal: AbortSignal,
): Promise<void> {
  // Git checks objects that it fetches, but versions before 2.46 do not check those of a bundle, so this takes two
  // steps. The name is not `<bundle>.git`, which git would take for the bundle.
  const quarantine = `${file}-quarantine.git`
  const source = { from: pathToFileURL(quarantine).href, settings: LOCAL, ...wanted }
  try {
    const work = async (): Promise<void> => {
      await unpack(file, quarantine, signal)
      await cloneInto(repositories.path(projectId), source, signal)
    }
    await repositories.withSlot(projectId, 'tasks', work, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof GitError)) throw error
    // Server paths must not appear in the message.
    const reason = error.message.replaceAll(`${folder}/`, '').replaceAll(repositories.path(projectId), '')
    throw new ImportError(`The repository of the archive cannot be used: ${reason}`, { cause: error })
  }
}

async function unpack(file: string, quarantine: string, signal: AbortSignal): Promise<void> {
  const settings = { ...memorySettings, ...LOCAL }
  const environment = { GIT_DEFAULT_REF_FORMAT: 'files' }
  const args = ['clone', '--quiet', '--bare', '--template=', '--', file, quarantine]
  await runGit(args, { settings, environment, signal })
  await fetchRefs(quarantine, { from: file, refs: MERGE_REQUEST_HEADS, settings }, signal)
  await checkMergeRequestRefs(quarantine, signal)
}

async function checkMergeRequestRefs(gitDir: string, signal: AbortSignal): Promise<void> {
  const args = ['for-each-ref', '--format=%(refname)', 'refs/merge-requests/']
  const refs = (await runGit(['--git-dir', gitDir, ...args], { signal })).split('\n').filter(Boolean)
  const other = refs.find((ref) => !isMergeRequestRef(ref))
  if (other !== undefined) {
    throw new ImportError(`The ref "${other.slice(0, 60)}" of the archive is not that of a merge request`)
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch (error) {
    if (isMissingFile(error)) return false
    throw error
  }
}
