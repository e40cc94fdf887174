import { type Static, Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import { isLive } from '../../access/is-live.js'
import { maySeeGroup, type Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import type { NamespaceRow } from '../../database/stores/namespace-store.js'
import { type Operation, operation } from '../../http/operation.js'
import { page, type Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { described } from '../../http/parameters/described.js'
import { GroupBrief, presentGroupBriefs } from './group-brief.js'
import type { GroupRecords } from './records.js'
import { searchConditions } from './store.js'

const ListGroupsOfProject = Type.Object({
  search: described(
    Type.Optional(Type.String()),
    'Part of the name or path to search for, case-insensitive.',
  ),
  skip_groups: described(Type.Optional(Type.Array(Type.Integer())), 'IDs of groups to exclude.'),
  with_shared: described(
    Type.Optional(Type.Boolean()),
    'Whether to include groups with which the project is shared; default false.',
  ),
  shared_min_access_level: described(Type.Optional(Type.Integer()), 'Minimum access level of such a share.'),
  shared_visible_only: described(
    Type.Optional(Type.Boolean()),
    'Accepted without effect: groups that the caller cannot see are never listed.',
  ),
})
type ListGroupsOfProject = Static<typeof ListGroupsOfProject>

/** Ancestor groups of a project, and groups with which it is shared (API, C2). */
export function groupsOfProjectOperations({ deps: { database, externalUrl } }: GroupRecords): Operation[] {
  return [
    operation('GET /projects/:id/groups', {
      summary: 'List groups of a project, optionally with shared groups',
      access: 'read_project',
      params: ListGroupsOfProject,
      responses: { 200: Type.Array(GroupBrief) },
      paginated: true,
      run: async ({ project, params, user, paging }) => {
        const { rows, total } = await groupsOf(database, project, params, user, paging)
        return page(await presentGroupBriefs(database, rows, externalUrl), total)
      },
    }),
  ]
}

async function groupsOf(
  database: Database,
  project: Project,
  { search, skip_groups, with_shared, shared_min_access_level = 0 }: ListGroupsOfProject,
  viewer: Viewer,
  paging: Paging,
): Promise<Rows<NamespaceRow>> {
  const matching = database
    .selectFrom('namespace')
    .where(({ or, eb, selectFrom }) =>
      or([
        eb(
          'namespace.id',
          'in',
          selectFrom('group_tree').select('ancestor_id').where('group_id', '=', project.namespace_id),
        ),
        ...(with_shared
          ? [
              eb(
                'namespace.id',
                'in',
                selectFrom('share')
                  .select('with_group_id')
                  .where('share.project_id', '=', project.id)
                  .where('share.group_access', '>=', shared_min_access_level)
                  .where(isLive('share', Date.now())),
              ),
            ]
          : []),
      ]),
    )
    .where(maySeeGroup(viewer))
    .where(({ and }) => and(searchConditions(search)))
    .$if(Boolean(skip_groups?.length), (query) => query.where('namespace.id', 'not in', skip_groups ?? []))
  return listRows(database, matching, paging, { table: 'namespace', column: 'full_path', direction: 'asc' })
}
