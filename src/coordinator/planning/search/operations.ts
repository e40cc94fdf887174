import { clientGone } from '../../http/client-gone.js'
import { type Call, type Operation, operation } from '../../http/operation.js'
import type { Page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { Found, FoundInProject, SearchAll, SearchProject } from './schema.js'
import { searchAll, type SearchDeps, searchProject } from './search.js'

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
    operation('GET /groups/:id/search', { ...inGroup, summary: 'Search a group' }),
    operation('GET /groups/:id/-/search', { ...inGroup, summary: 'Search a group (older path)' }),
    operation('GET /projects/:id/search', { ...inProject, summary: 'Search a project' }),
    operation('GET /projects/:id/-/search', { ...inProject, summary: 'Search a project (older path)' }),
  ]
}
