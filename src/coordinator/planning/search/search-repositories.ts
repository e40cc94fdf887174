import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { isRepository } from '../../hosting/repositories/is-repository.js'
import type { Paging } from '../../http/page.js'
import { MAX_RESULTS } from './find-blobs.js'
import {
  type RepositorySearch,
  type RepositorySearchDeps,
  searchGroupWiki,
  searchRepository,
} from './search-repository.js'
import { listSearchedGroups, listSearchedProjects } from './store.js'

/** Limits on the work for one search of several projects, and as many groups. */
const MAX_PROJECTS = 100
const MAX_MILLISECONDS = 20_000

interface FoundInRepositories {
  rows: object[]
  /** Whether all projects and groups that the viewer may read belong to the search. */
  isComplete: boolean
}

/**
 * Searches the repositories of the projects whose code or wiki the viewer may read: those with the latest activity, one
 * after the other until the page is full. Wikis of groups come first. Throws 503 if that takes too long.
 */
export async function searchRepositories(
  deps: RepositorySearchDeps & { database: Database },
  at: { viewer: User; groupId?: number },
  search: Omit<RepositorySearch, 'ref'>,
  { offset, perPage }: Paging,
  signal: AbortSignal,
): Promise<FoundInRepositories> {
  const projects = await listSearchedProjects(deps.database, at, search.scope, MAX_PROJECTS + 1)
  const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_MILLISECONDS)])
  const end = Math.min(offset + perPage, MAX_RESULTS)
  const rows: object[] = []
  const groups =
    search.scope === 'wiki_blobs' ? await listSearchedGroups(deps.database, at, MAX_PROJECTS + 1) : []
  for (const { id } of groups.slice(0, MAX_PROJECTS)) {
    if (rows.length >= end) break
    rows.push(
      ...(await searchGroupWiki(deps, id, search.search, { offset: 0, limit: end - rows.length }, limited)),
    )
  }
  for (const project of projects.slice(0, MAX_PROJECTS)) {
    if (rows.length >= end) break
    if (!(await hasRepository(deps, project, search.scope, limited))) continue
    const part = { offset: 0, limit: end - rows.length }
    rows.push(...(await searchRepository(deps, project, search, part, limited)))
  }
  const isComplete = projects.length <= MAX_PROJECTS && groups.length <= MAX_PROJECTS
  return { rows: rows.slice(offset, end), isComplete }
}

/** False for a project that is being imported. */
function hasRepository(
  { repositories, wikiRepositories }: RepositorySearchDeps,
  { id }: Project,
  scope: RepositorySearch['scope'],
  signal: AbortSignal,
): Promise<boolean> {
  return isRepository((scope === 'wiki_blobs' ? wikiRepositories : repositories).reading(id, signal).gitDir)
}
