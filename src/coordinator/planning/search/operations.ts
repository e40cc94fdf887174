import { clientGone } from '../../http/client-gone.js'
import { type Call, type Operation, operation } from '../../http/operation.js'
import type { Page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import {
  COUNTED_EVERYWHERE,
  COUNTED_IN_PROJECT,
  countFiles,
  countFilesSoon,
  countResults,
  COUNTS_PER_MINUTE,
  FIRST_FILES,
  FIRST_ROW,
} from './count-results.js'
import { CountResults, Found, FoundInProject, SearchAll, SearchCounts, SearchProject } from './schema.js'
import { searchRepositories } from './search-repositories.js'
import { searchAll, type SearchDeps, type SearchedAt, searchProject } from './search.js'

/** Search in the instance, in groups and in projects (API, G8). */
export function searchOperations(deps: SearchDeps): Operation[] {
  const inGroup = {
    access: 'read_group',
    params: SearchAll,
    responses: { 200: Found },
    paginated: true,
    run: ({ group, user, params, paging, reply }: Call<'read_group', SearchAll>): Promise<Page> =>
      searchAll(deps, { viewer: signedIn(user), group, reply }, params, paging),
  } as const
  const inProject = {
    access: 'read_project',
    params: SearchProject,
    responses: { 200: FoundInProject },
    paginated: true,
    run: (call: Call<'read_project', SearchProject>): Promise<Page> => {
      const { user, params, paging, reply } = call
      return searchProject(deps, { ...call, user: signedIn(user) }, params, paging, clientGone(reply))
    },
  } as const
  return [
    operation('GET /search', {
      summary: 'Search the instance',
      access: 'user',
      params: SearchAll,
      responses: { 200: Found },
      paginated: true,
      run: ({ user, params, paging, reply }) => searchAll(deps, { viewer: user, reply }, params, paging),
    }),
    operation('GET /search/counts', {
      summary: 'Count what a search of the instance finds',
      access: 'user',
      params: CountResults,
      responses: { 200: SearchCounts },
      limit: { perMinute: COUNTS_PER_MINUTE },
      run: ({ user, params, reply }) => countAll(deps, { viewer: user, reply }, params),
    }),
    operation('GET /groups/:id/search/counts', {
      summary: 'Count what a search of a group finds',
      access: 'read_group',
      params: CountResults,
      responses: { 200: SearchCounts },
      limit: { perMinute: COUNTS_PER_MINUTE },
      run: ({ group, user, params, reply }) =>
        countAll(deps, { viewer: signedIn(user), group, reply }, params),
    }),
    operation('GET /projects/:id/search/counts', {
      summary: 'Count what a search of a project finds',
      access: 'read_project',
      params: CountResults,
      responses: { 200: SearchCounts },
      limit: { perMinute: COUNTS_PER_MINUTE },
      run: (call) => {
        const { user, reply } = call
        const { search, files = false } = call.params
        const caller = { ...call, user: signedIn(user) }
        const signal = clientGone(reply)
        return files
          ? countFiles((scope) => searchProject(deps, caller, { search, scope }, FIRST_FILES, signal))
          : countResults(COUNTED_IN_PROJECT, (scope) =>
              searchProject(deps, caller, { search, scope }, FIRST_ROW, signal),
            )
      },
    }),
    operation('GET /groups/:id/search', { ...inGroup, summary: 'Search a group' }),
    operation('GET /groups/:id/-/search', { ...inGroup, summary: 'Search a group (older path)' }),
    operation('GET /projects/:id/search', { ...inProject, summary: 'Search a project' }),
    operation('GET /projects/:id/-/search', { ...inProject, summary: 'Search a project (older path)' }),
  ]
}

/** Counts what a search of the instance or of a group finds. */
function countAll(
  deps: SearchDeps,
  at: SearchedAt,
  { search, files = false }: CountResults,
): Promise<SearchCounts> {
  if (!files)
    return countResults(COUNTED_EVERYWHERE, (scope) => searchAll(deps, at, { search, scope }, FIRST_ROW))
  const { viewer, group, reply } = at
  const where = { viewer, ...(group && { groupId: group.id }) }
  const signal = clientGone(reply)
  return countFilesSoon((scope, milliseconds) =>
    searchRepositories(deps, where, { scope, search }, FIRST_FILES, { signal, milliseconds }),
  )
}
