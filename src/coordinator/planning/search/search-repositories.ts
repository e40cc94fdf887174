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

export interface FoundInRepositories {
  rows: object[]
  /** Whether all projects and groups that the viewer may read were searched. */
  isComplete: boolean
}

/**
 * Searches the repositories of the projects whose code or wiki the viewer may read: those with the latest activity, one
 * after the other until the page is full. Wikis of groups come first. Throws 503 if that takes too long.
 * @param limits `milliseconds`: the search ends then with what it has found
 */
export async function searchRepositories(
  deps: RepositorySearchDeps & { database: Database },
  at: { viewer: User; groupId?: number },
  search: Omit<RepositorySearch, 'ref'>,
  { offset, perPage }: Paging,
  { signal, milliseconds }: { signal: AbortSignal; milliseconds?: number },
): Promise<FoundInRepositories> {
  const soon = milliseconds === undefined ? undefined : AbortSignal.timeout(milliseconds)
  const limited = AbortSignal.any([signal, soon ?? AbortSignal.timeout(MAX_MILLISECONDS)])
  const end = Math.min(offset + perPage, MAX_RESULTS)
  const rows: object[] = []
  const { searches, isComplete } = await searchesOf(deps, at, search)
  for (const searchOne of searches) {
    if (rows.length >= end) break
    try {
      rows.push(...(await searchOne({ offset: 0, limit: end - rows.length }, limited)))
    } catch (error) {
      if (!soon?.aborted || signal.aborted) throw error
      return { rows: rows.slice(offset, end), isComplete: false }
    }
  }
  return { rows: rows.slice(offset, end), isComplete }
}

type SearchOne = (part: { offset: number; limit: number }, signal: AbortSignal) => Promise<object[]>

/** One search of each repository. */
async function searchesOf(
  deps: RepositorySearchDeps & { database: Database },
  at: { viewer: User; groupId?: number },
  search: Omit<RepositorySearch, 'ref'>,
): Promise<{ searches: SearchOne[]; isComplete: boolean }> {
  const projects = await listSearchedProjects(deps.database, at, search.scope, MAX_PROJECTS + 1)
  const groups =
    search.scope === 'wiki_blobs' ? await listSearchedGroups(deps.database, at, MAX_PROJECTS + 1) : []
  return {
    searches: [
      ...groups.slice(0, MAX_PROJECTS).map(
        ({ id }): SearchOne =>
          (part, signal) =>
            searchGroupWiki(deps, id, search.search, part, signal),
      ),
      ...projects.slice(0, MAX_PROJECTS).map(
        (project): SearchOne =>
          async (part, signal) =>
            (await hasRepository(deps, project, search.scope, signal))
              ? searchRepository(deps, project, search, part, signal)
              : [],
      ),
    ],
    isComplete: projects.length <= MAX_PROJECTS && groups.length <= MAX_PROJECTS,
  }
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
