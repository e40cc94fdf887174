import { GitError } from '../../../../git/errors.js'
import { runGit } from '../../../../git/run-git.js'
import type { BlobStore } from '../../../ci/storage/blob-store.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import { RemoteRepositoryError } from '../../../egress/errors.js'
import { pinnedRemote } from '../../../egress/remote-repository.js'
import { copyAllObjects } from '../../lfs/objects.js'
import type { Repositories } from '../../repositories/repositories.js'
import { setFirstDefaultBranch } from '../../repositories/store.js'
import type { Import } from '../import-store.js'
import { findProject } from '../store.js'
import { checkImporter } from './check-importer.js'
import { cloneInto, type CloneSource } from './clone.js'
import { ImportError } from './import-error.js'

export interface FillDeps {
  database: Database
  blobs: BlobStore
  secrets: SecretBox
  repositories: Pick<Repositories, 'path' | 'withSlot' | 'listRefs' | 'setHead' | 'create' | 'delete'>
  /**
   * Resolves a URL to an address that is allowed to be connected to. Throws `LocalAddressError` and other
   * errors of the egress filter.
   */
  addressOf: (url: URL) => Promise<string>
}

/**
 * Copies the source of the import and sets the default branch. Throws `ImportError` if the source cannot be
 * copied.
 */
export async function fillRepository(deps: FillDeps, wanted: Import, signal: AbortSignal): Promise<void> {
  const gitDir = deps.repositories.path(wanted.project_id)
  const source = await sourceOf(deps, wanted)
  await checkImporter(deps.database, wanted)
  try {
    const copy = () => cloneInto(gitDir, source, signal)
    await deps.repositories.withSlot(wanted.project_id, 'tasks', copy, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof GitError)) throw error
    throw new ImportError(`The repository could not be copied: ${error.message}`, { cause: error })
  }
  const { project_id: target, source_project_id: from } = wanted
  // After the repository: objects are uploaded before the commits that need them.
  if (from !== null) await copyAllObjects(deps, from, target, signal)
  await adoptBranch(deps, wanted.project_id, signal)
}

async function sourceOf(deps: FillDeps, wanted: Import): Promise<CloneSource> {
  const { source_project_id: projectId, source_url_encrypted: encrypted, branch } = wanted
  if (encrypted !== null) return { ...(await remoteSource(deps, deps.secrets.decrypt(encrypted))), branch }
  const project = projectId === null ? undefined : await findProject(deps.database, projectId)
  if (!project || project.deletion_started_at !== null)
    throw new ImportError('The source project no longer exists')
  // On one disk the clone has hard links to the objects, so either repository can be deleted.
  return { from: deps.repositories.path(project.id), branch, settings: { 'protocol.file.allow': 'always' } }
}

async function remoteSource({ addressOf }: FillDeps, address: string): Promise<CloneSource> {
  try {
    const { url, settings } = await pinnedRemote(address, addressOf)
    // A shallow repository lacks parents of its commits, and so would all its clones.
    return { from: url, settings: { ...settings, 'clone.rejectShallow': 'true' } }
  } catch (error) {
    if (error instanceof RemoteRepositoryError) throw new ImportError(error.message, { cause: error })
    throw error
  }
}

/** Adopts the branch that the clone has checked out, or one with a usual name, or any branch. */
export async function adoptBranch(
  { database, repositories }: Pick<FillDeps, 'database' | 'repositories'>,
  projectId: number,
  signal: AbortSignal,
): Promise<void> {
  const branches = (await repositories.listRefs(projectId, 'branch')).map(({ ref }) => ref)
  const args = ['--git-dir', repositories.path(projectId), 'symbolic-ref', '--short', 'HEAD']
  const head = (await repositories.withSlot(projectId, 'tasks', () => runGit(args), signal)).trim()
  const branch = [head, 'main', 'master'].find((name) => branches.includes(name)) ?? branches[0]
  if (branch === undefined) return
  await repositories.setHead(projectId, branch)
  await setFirstDefaultBranch(database, projectId, branch)
}
