import { GitError } from '../../git/errors.js'
import type { JobLog } from '../trace/job-log.js'
import { checkOutTree } from './check-out-tree.js'
import { cleanTree } from './clean-tree.js'
import { localAddress, parseCloneAddress } from './clone-address.js'
import { fetchWithRetries } from './fetch-with-retries.js'
import { DEFAULT_SOURCE_SETTINGS } from './git-flags.js'
import { isLfsInstalled } from './git-lfs.js'
import { HostRepository } from './host-repository.js'
import type { WorkspaceLayout } from './layout.js'
import { openHostRepository, startAfresh } from './open-host-repository.js'
import { publishRepositories } from './publish-repositories.js'
import { removeLeftSettings } from './remove-left-settings.js'
import { emptyDirectory } from './remove-tree.js'
import type { Sources } from './sources.js'
import { checkOutSubmodules } from './submodules/check-out-submodules.js'
import { type SourceRequest, SourcesError } from './workspace.js'

/**
 * Prepares the sources of a job by its strategy (runner protocol, 7.9):
 *
 *     fetch, clean up ─▶ checkout ─▶ clean ─▶ submodules ─▶ owners ─▶ the job's .git
 *
 * A runner may be killed at any point. The next call starts from the beginning. No other process may use the
 * workspace.
 */
export async function prepareSources(
  layout: WorkspaceLayout,
  source: SourceRequest,
  log: JobLog,
  signal: AbortSignal,
): Promise<void> {
  switch (source.strategy) {
    case 'none':
      log.info('Skipping Git repository setup')
      log.info('Skipping Git checkout')
      log.info('Skipping Git submodules setup')
      break
    case 'empty':
      log.info('Skipping Git repository setup and creating an empty build directory')
      await emptyWorkTree(layout, signal)
      log.info('Skipping Git checkout')
      log.info('Skipping Git submodules setup')
      break
    case 'clone':
    case 'fetch':
      await fetchAndCheckOut(await gather(layout, source, log, signal), source.strategy === 'clone')
      break
  }
}

/** Removes all files of the last job. The repository of the runner stays, without information about the files. */
export async function emptyWorkTree(layout: WorkspaceLayout, signal: AbortSignal): Promise<void> {
  await new HostRepository(layout.gitDir, layout.workTree, signal).deleteIndex()
  await emptyDirectory(layout.workTree, { signal })
}

async function gather(
  layout: WorkspaceLayout,
  source: SourceRequest,
  log: JobLog,
  signal: AbortSignal,
): Promise<Sources> {
  const { git, repository } = source
  if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(git.sha)) {
    throw new SourcesError(`"${git.sha}" is not a commit ID`, undefined)
  }
  const address = parseCloneAddress(git.repo_url)
  return {
    layout,
    repository: new HostRepository(layout.gitDir, layout.workTree, signal),
    git,
    settings: source.settings ?? DEFAULT_SOURCE_SETTINGS,
    objectFormat: git.repo_object_format || 'sha1',
    address,
    origin: repository === undefined ? address : localAddress(repository),
    userAgent: source.userAgent,
    hasLfs: await isLfsInstalled(),
    log,
    signal,
  }
}

async function fetchAndCheckOut(sources: Sources, isClone: boolean): Promise<void> {
  try {
    if (isClone) await startAfresh(sources.layout, sources.repository, sources.signal)
    await checkOutCommit(sources)
  } catch (error) {
    sources.signal.throwIfAborted()
    throw error instanceof GitError ? sourcesError(error, sources.log) : error
  }
}

async function checkOutCommit(sources: Sources): Promise<void> {
  const { layout, git, log, repository, objectFormat } = sources
  const beginAgain = () => startAfresh(layout, repository, sources.signal)
  log.info(fetchMessage(git.depth ?? 0))
  const isFresh = await openHostRepository(repository, objectFormat, beginAgain)
  if (isFresh) {
    log.output.write(`Initialized empty Git repository in ${layout.projectDir}/.git/\n`)
    log.info('Created fresh repository.')
  }
  try {
    await fetchAll(sources, isFresh)
    await setUpWorkTree(sources, isFresh)
  } catch (error) {
    if (isFresh || !isLocalTrouble(error)) throw error
    log.warning('The sources of the last job cannot be used any more. Starting from scratch.')
    await beginAgain()
    await repository.initialize(objectFormat)
    await fetchAll(sources, true)
    await setUpWorkTree(sources, true)
  }
}

function fetchMessage(depth: number): string {
  return depth > 0 ? `Fetching changes with git depth set to ${depth}...` : 'Fetching changes...'
}

/** Cleans up the files of the last job while git fetches. */
async function fetchAll(sources: Sources, isFresh: boolean): Promise<void> {
  const { repository, git, origin: address, settings, userAgent } = sources
  const { fetchFlags: flags } = settings
  const request = { address, refspecs: git.refspecs ?? [], depth: git.depth ?? 0, flags, userAgent }
  const putInOrder = isFresh ? undefined : distrustLeftFiles(sources)
  await Promise.all([fetchWithRetries(repository, request, sources), putInOrder])
}

async function distrustLeftFiles({ layout, repository, signal }: Sources): Promise<void> {
  const tidied = layout.owner && (await cleanTree(layout.workTree, layout.owner, signal))
  await removeLeftSettings(repository, layout.aside, tidied?.hasAttributes ?? true)
}

async function setUpWorkTree(sources: Sources, isFresh: boolean): Promise<void> {
  const { git, log, settings, repository, address } = sources
  if (!settings.checkout) {
    log.info('Skipping Git checkout')
    await publishRepositories(sources, [])
    return
  }
  log.info(`Checking out ${git.sha.slice(0, 8)} as detached HEAD (ref is ${git.ref})...`)
  const links = await checkOutTree({ repository, sha: git.sha, address, isFresh }, sources)
  await warnOfPointers(sources)
  const submodules = await checkOutSubmodules(sources, links)
  await publishRepositories(sources, submodules)
}

/** Warns about files that stay pointers, because otherwise a script would fail on them much later. */
async function warnOfPointers({ hasLfs, settings, repository, log }: Sources): Promise<void> {
  if (hasLfs || !settings.isLfsWanted || (await repository.lfsFiles()).length === 0) return
  log.warning(
    'This commit has files in Git LFS, and git-lfs is not installed on this runner: they remain pointers.',
  )
}

/**
 * Whether a fetch of the same commit into a new repository may help. It does not if the server refuses the request.
 */
function isLocalTrouble(error: unknown): boolean {
  if (!(error instanceof GitError)) return false
  // The file server refused the request, or the content of a file does not match the commit.
  if (/smudge filter|external filter|filter-process/.test(error.stderr)) return false
  if (error.command !== 'fetch') return true
  return /bad object|corrupt|is empty|unable to read|did not send all necessary objects|bad sha1/i.test(
    error.stderr,
  )
}

function sourcesError(error: GitError, log: JobLog): SourcesError {
  if (error.stderr !== '') log.output.write(error.stderr)
  return new SourcesError(error.message, error.exitCode, { cause: error })
}
