import { join } from 'node:path'

import { EgressRules } from '../../../egress/egress-rules.js'
import { GitError } from '../../../git/errors.js'
import { checkOutTree } from '../check-out-tree.js'
import { type CloneAddress, parseCloneAddress } from '../clone-address.js'
import { fetchWithRetries } from '../fetch-with-retries.js'
import type { SubmoduleSettings } from '../git-flags.js'
import { type GitLink, HostRepository } from '../host-repository.js'
import { clearRepository, openHostRepository } from '../open-host-repository.js'
import { removeLeftSettings } from '../remove-left-settings.js'
import { createDirectory, createEmptyDirectory } from '../remove-tree.js'
import type { Sources } from '../sources.js'
import { SourcesError } from '../workspace.js'
import { checkedAddress } from './checked-address.js'
import { directoryOf, parseGitmodules, type Submodule } from './gitmodules.js'
import { submoduleAddress } from './submodule-address.js'

export interface CheckedOutSubmodule {
  name: string
  /** Without credentials. */
  url: string
  sha: string
  /** Name of its repository below the host's `modulesDir`. */
  key: string
  repository: HostRepository
  /** Its own submodules. */
  submodules: CheckedOutSubmodule[]
}

/** A repository that may have submodules. */
interface Parent {
  repository: HostRepository
  sha: string
  links: GitLink[]
  url: string
  /** Names of the submodules on the path to it. */
  names: string[]
  /** Its path in the work tree of the job. */
  components: string[]
}

/** Stores the commit from which a later fetch can continue. */
const HEAD_REF = 'refs/switchyard/head'

/**
 * Checks out the submodules (runner protocol, 7.9). Git's own commands for this are not used, because they trust
 * the content of the work tree. The list of submodules and their URLs is read from the commit. Each submodule has a
 * repository of the runner's own, like the project itself. `links` are those in the commit of the project.
 */
export async function checkOutSubmodules(sources: Sources, links: GitLink[]): Promise<CheckedOutSubmodule[]> {
  const { repository, git, address, log } = sources
  const wanted = sources.settings.submodules
  log.info(wanted ? updateMessage(wanted) : 'Skipping Git submodules setup')
  const parent = { repository, sha: git.sha, links, url: address.url, names: [], components: [] }
  return await checkOutIn(parent, sources, wanted, wanted?.paths ?? [])
}

function updateMessage({ isRecursive, depth }: SubmoduleSettings): string {
  const recursively = isRecursive ? ' recursively' : ''
  const withDepth = depth > 0 ? ` with git depth set to ${depth}` : ''
  return `Updating/initializing submodules${recursively}${withDepth}...`
}

/** Directories of unwanted submodules are left empty, unless the job disables cleaning. */
async function checkOutIn(
  parent: Parent,
  sources: Sources,
  wanted: SubmoduleSettings | undefined,
  pathspecs: string[],
): Promise<CheckedOutSubmodule[]> {
  const { links } = parent
  if (links.length === 0) return []
  const chosen = new Set(wanted ? await chosenPaths(parent, links, pathspecs) : [])
  for (const { path } of links.filter((link) => !chosen.has(link.path))) {
    const components = [...parent.components, ...path.split('/')]
    if (sources.settings.cleanFlags)
      await createEmptyDirectory(sources.layout.workTree, components, sources.signal)
  }
  if (!wanted || chosen.size === 0) return []
  const known = parseGitmodules(await parent.repository.gitmodules(parent.sha))
  const done: CheckedOutSubmodule[] = []
  for (const link of links.filter(({ path }) => chosen.has(path))) {
    done.push(await checkOutOne(parent, link, find(known, link), sources, wanted))
  }
  return done
}

async function chosenPaths({ repository }: Parent, links: GitLink[], pathspecs: string[]): Promise<string[]> {
  return pathspecs.length === 0 ? links.map(({ path }) => path) : await repository.paths(pathspecs)
}

function find(known: Submodule[], { path }: GitLink): Submodule {
  const submodule = known.find((candidate) => candidate.path === path)
  if (submodule) return submodule
  throw new SourcesError(`no submodule mapping found in .gitmodules for path '${path}'`, undefined)
}

async function checkOutOne(
  parent: Parent,
  link: GitLink,
  submodule: Submodule,
  sources: Sources,
  wanted: SubmoduleSettings,
): Promise<CheckedOutSubmodule> {
  const { layout, signal, log } = sources
  const names = [...parent.names, submodule.name]
  const components = [...parent.components, ...link.path.split('/')]
  const key = directoryOf(names.join('\n'))
  const workTree = await createDirectory(layout.workTree, components, signal)
  const repository = new HostRepository(join(layout.modulesDir, key), workTree, signal)
  const address = await addressOf(parent, submodule, sources, wanted)
  const isFresh = await openHostRepository(repository, sources.objectFormat, () =>
    clearRepository(repository),
  )
  if (isFresh) await createEmptyDirectory(layout.workTree, components, signal)
  else await removeLeftSettings(repository, layout.aside)
  const sha = await fetchCommit(repository, address, link, submodule, sources, wanted)
  const links = await checkOutTree({ repository, sha, address, isFresh }, sources)
  log.output.write(`Submodule path '${components.join('/')}': checked out '${sha}'\n`)
  const self = { repository, sha, links, url: address.url, names, components }
  const submodules = await checkOutIn(self, sources, wanted.isRecursive ? wanted : undefined, [])
  return { name: submodule.name, url: address.url, sha, key, repository, submodules }
}

/**
 * The job's token is sent to the server of its own repository only. That server needs no check, because the
 * coordinator named it.
 */
async function addressOf(
  parent: Parent,
  submodule: Submodule,
  sources: Sources,
  { forceHttps }: SubmoduleSettings,
): Promise<CloneAddress> {
  const { url, isOwnServer } = submoduleAddress(submodule.name, submodule.url, {
    parentUrl: parent.url,
    repositoryUrl: sources.address.url,
    serverUrls: sources.settings.serverUrls,
    forceHttps,
  })
  const address = parseCloneAddress(url)
  if (isOwnServer) return { url: address.url, credentials: sources.address.credentials }
  const egress = new EgressRules(sources.settings.allowedLocalHosts)
  return await checkedAddress(submodule.name, address, egress, sources.signal)
}

/** Returns the commit to check out, which the repository contains afterwards. */
async function fetchCommit(
  repository: HostRepository,
  address: CloneAddress,
  link: GitLink,
  submodule: Submodule,
  sources: Sources,
  { depth, isRemote }: SubmoduleSettings,
): Promise<string> {
  const request = { address, depth, flags: ['--quiet', '--no-tags'], userAgent: sources.userAgent }
  if (isRemote) {
    const refspecs = [`+${remoteRef(submodule, sources)}:${HEAD_REF}`]
    await fetchWithRetries(repository, { ...request, refspecs }, sources)
    return await repository.resolve(HEAD_REF)
  }
  if (await repository.hasCommit(link.sha)) return link.sha
  try {
    await fetchWithRetries(repository, { ...request, refspecs: [`+${link.sha}:${HEAD_REF}`] }, sources)
  } catch (error) {
    if (!isCommitRefused(error)) throw error
    const refspecs = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*']
    await fetchWithRetries(repository, { ...request, depth: 0, refspecs }, sources)
  }
  return link.sha
}

/** `branch = .` means the branch of the project (gitmodules(5)). */
function remoteRef({ branch }: Submodule, { git }: Sources): string {
  if (branch === undefined) return 'HEAD'
  return `refs/heads/${branch === '.' ? git.ref : branch}`
}

/** Some servers only provide commits that a ref points to. */
function isCommitRefused(error: unknown): boolean {
  return (
    error instanceof GitError && /not our ref|unadvertised object|does not allow request/i.test(error.stderr)
  )
}
