import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { GitError } from '../../git/errors.js'
import { retry } from '../../lib/retry.js'
import type { GitInfo } from '../../protocol/job-payload.js'
import type { JobLog } from '../trace/job-log.js'
import { type CloneAddress, parseCloneAddress } from './clone-address.js'
import { SourcesError } from './errors.js'
import { HostRepository, type Ref } from './host-repository.js'
import { writeJobRepository } from './job-repository.js'
import type { WorkspaceLayout } from './layout.js'
import { emptyDirectory, makeEmptyDirectory, removeTree } from './remove-tree.js'
import type { SourceRequest } from './workspace.js'

/** Brings a workspace to the commit of a job by the strategy it asks for (runner protocol, 7.9). */
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
      break
    case 'empty':
      log.info('Skipping Git repository setup and creating an empty build directory')
      await emptyDirectory(layout.workTree)
      await removeTree(join(layout.gitDir, 'index'))
      log.info('Skipping Git checkout')
      break
    case 'clone':
      await startAfresh(layout)
      await fetchAndCheckOut(layout, source, log, signal)
      break
    case 'fetch':
      await fetchAndCheckOut(layout, source, log, signal)
      break
  }
  log.info('Skipping Git submodules setup')
}

interface Sources {
  layout: WorkspaceLayout
  repository: HostRepository
  git: GitInfo
  objectFormat: string
  address: CloneAddress
  userAgent: string
  log: JobLog
  signal: AbortSignal
}

async function fetchAndCheckOut(
  layout: WorkspaceLayout,
  source: SourceRequest,
  log: JobLog,
  signal: AbortSignal,
): Promise<void> {
  const sources: Sources = {
    layout,
    repository: new HostRepository(layout.gitDir, layout.workTree, signal),
    git: checked(source.git),
    objectFormat: source.git.repo_object_format || 'sha1',
    address: parseCloneAddress(source.git.repo_url),
    userAgent: source.userAgent,
    log,
    signal,
  }
  try {
    await bringToCommit(sources)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof GitError ? sourcesError(error, log) : error
  }
}

/** About five minutes in all. */
const FETCH_TRIES = { attempts: 24, delay: 500, maximumDelay: 15_000 }

/** In the words of git and of its HTTP library. */
const AWAY =
  /failed to connect|couldn't connect|could not resolve host|connection (reset|refused|timed out)|recv failure|empty reply|hung up unexpectedly|early eof|unexpected disconnect|rpc failed|returned error: 5\d\d/i

function isServerAway(error: unknown): boolean {
  return error instanceof GitError && AWAY.test(error.stderr)
}

/** With what the last job left if that works, else once more from nothing. */
async function bringToCommit(sources: Sources): Promise<void> {
  const { repository, log } = sources
  log.info(fetchMessage(sources.git.depth ?? 0))
  const isFresh = await openRepository(sources)
  try {
    await fetchSources(sources)
    await checkOutSources(sources, isFresh)
  } catch (error) {
    if (isFresh || !isLocalTrouble(error)) throw error
    log.warning('The sources of the last job cannot be used any more. Starting from nothing.')
    await startAfresh(sources.layout)
    await repository.initialize(sources.objectFormat)
    await fetchSources(sources)
    await checkOutSources(sources, true)
  }
}

function fetchMessage(depth: number): string {
  return depth > 0 ? `Fetching changes with git depth set to ${depth}...` : 'Fetching changes...'
}

/** Answers whether the repository was made just now. */
async function openRepository({ layout, repository, objectFormat, log }: Sources): Promise<boolean> {
  if (await repository.isInitialized(objectFormat)) {
    await repository.removeStaleLocks()
    return false
  }
  await startAfresh(layout)
  await repository.initialize(objectFormat)
  log.output.write(`Initialized empty Git repository in ${layout.projectDir}/.git/\n`)
  log.info('Created fresh repository.')
  return true
}

/** The directories stay: a container that was made before has them mounted. */
async function startAfresh(layout: WorkspaceLayout): Promise<void> {
  await emptyDirectory(layout.workTree)
  await emptyDirectory(layout.gitDir)
  await mkdir(join(layout.gitDir, 'objects'))
}

/** A server that is being restarted is waited for: the job has not failed because of that. */
async function fetchSources(sources: Sources): Promise<void> {
  const { repository, git, address, userAgent, log, signal } = sources
  const request = { address, refspecs: git.refspecs ?? [], depth: git.depth ?? 0, userAgent }
  const fetch = async (attempt: number): Promise<void> => {
    if (attempt > 1) log.warning('The server of the repository does not answer. Fetching once more...')
    await repository.fetch(request)
  }
  await retry(fetch, { ...FETCH_TRIES, isWorthRetrying: isServerAway, signal })
}

async function checkOutSources(sources: Sources, isFresh: boolean): Promise<void> {
  const { layout, repository, git, log } = sources
  log.info(`Checking out ${git.sha.slice(0, 8)} as detached HEAD (ref is ${git.ref})...`)
  await repository.checkOut(git.sha)
  const [all] = await Promise.all([repository.refs(), isFresh ? undefined : removeLeftFiles(sources)])
  const isFetched = refFilter(git.refspecs ?? [])
  await writeJobRepository(layout, {
    sha: git.sha,
    url: sources.address.url,
    refs: all.filter(({ name }: Ref) => isFetched(name) || name.startsWith('refs/tags/')),
    objectFormat: sources.objectFormat,
  })
  await repository.dropStalePipelineRefs(all, isFetched)
}

/** What is below a submodule is tracked for git, so that its cleaning leaves it alone. */
async function removeLeftFiles({ layout, repository }: Sources): Promise<void> {
  const [paths] = await Promise.all([repository.submodulePaths(), repository.clean()])
  for (const path of paths) {
    await makeEmptyDirectory(layout.workTree, path.split('/'))
  }
}

/** Whether a ref is one that the refspecs wrote. */
function refFilter(refspecs: string[]): (name: string) => boolean {
  const targets = refspecs.map((refspec) => refspec.split(':')[1] ?? '')
  return (name) =>
    targets.some((target) =>
      target.endsWith('*') ? name.startsWith(target.slice(0, -1)) : target !== '' && name === target,
    )
}

function checked(git: GitInfo): GitInfo {
  if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(git.sha)) {
    throw new SourcesError(`"${git.sha}" is no commit id`, undefined)
  }
  return git
}

/** What a fetch of the same commit into a new repository may mend, unlike a server that says no. */
function isLocalTrouble(error: unknown): boolean {
  if (!(error instanceof GitError)) return false
  if (error.command !== 'fetch') return true
  return /bad object|corrupt|is empty|unable to read|did not send all necessary objects|bad sha1/i.test(
    error.stderr,
  )
}

function sourcesError(error: GitError, log: JobLog): SourcesError {
  if (error.stderr !== '') log.output.write(error.stderr)
  return new SourcesError(error.message, error.exitCode, { cause: error })
}
