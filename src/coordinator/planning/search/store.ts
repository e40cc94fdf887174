import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { readsCode, readsSnippets, readsWiki } from '../../access/planning-visibility.js'
import { isSnippetSeen } from '../../access/snippet-visibility.js'
import { isMemberOfProject, maySeeGroup, maySeeProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { groupsIn } from '../../database/stores/namespace-store.js'
import { anyContainsText } from '../../database/text.js'
import type { MilestoneRow } from '../../hosting/milestone-store.js'
import type { SnippetRow } from '../../hosting/snippets/store.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { RepositoryScope } from './search-repository.js'

/** Milestones with the text in title or description that the viewer may see, or those in one group; newest first. */
export function searchMilestones(
  database: Database,
  { viewer, groupId }: { viewer: User; groupId?: number },
  search: string,
  paging: Paging,
): Promise<Rows<MilestoneRow>> {
  const matching = database
    .selectFrom('milestone')
    .where(({ ref }) =>
      anyContainsText([ref('milestone.title'), sql`coalesce(milestone.description, '')`], search),
    )
    .where(
      () => sql<SqlBool>`(milestone.group_id in (select namespace.id from namespace
          where ${maySeeGroup(viewer)} and ${isInGroup('namespace.id', groupId)})
        or milestone.project_id in (select project.id from project
          where ${hasPlansFor(viewer)} and ${isInGroup('project.namespace_id', groupId)}))`,
    )
  return listRows(database, matching, paging, { table: 'milestone', column: 'id', direction: 'desc' })
}

/** Snippets with the text in their title that the viewer may see: all, or those of a group or project; newest first. */
export function searchSnippets(
  database: Database,
  { viewer, groupId, projectId }: { viewer: User; groupId?: number; projectId?: number },
  search: string,
  paging: Paging,
): Promise<Rows<SnippetRow>> {
  const matching = database
    .selectFrom('snippet')
    .where('is_ready', '=', true)
    .where(({ ref }) => anyContainsText([ref('snippet.title')], search))
    .where(() => isSnippetSeen(viewer))
    .where(
      () => sql<SqlBool>`(${projectId === undefined && groupId === undefined ? sql`snippet.project_id is null or` : sql``}
        snippet.project_id in (select project.id from project where ${readsSnippets(viewer)}
          and ${isInGroup('project.namespace_id', groupId)}))`,
    )
    .$if(projectId !== undefined, (query) => query.where('snippet.project_id', '=', projectId ?? 0))
  return listRows(database, matching, paging, { table: 'snippet', column: 'id', direction: 'desc' })
}

/** Projects whose code, or whose wiki, the viewer may read, and that have some; those with the latest activity first. */
export function listSearchedProjects(
  database: Database,
  { viewer, groupId }: { viewer: User; groupId?: number },
  scope: RepositoryScope,
  limit: number,
): Promise<Project[]> {
  const isInWiki = scope === 'wiki_blobs'
  return database
    .selectFrom('project')
    .selectAll('project')
    .where(() => (isInWiki ? readsWiki(viewer) : readsCode(viewer)))
    .where(
      () =>
        sql<SqlBool>`${isInWiki ? sql`project.id in (select project_id from wiki)` : sql`project.default_branch is not null`}`,
    )
    .where(() => isInGroup('project.namespace_id', groupId))
    .orderBy('project.last_activity_at', 'desc')
    .orderBy('project.id', 'desc')
    .limit(limit)
    .execute()
}

/** Groups with a wiki that the viewer sees, in the order of their paths. */
export function listSearchedGroups(
  database: Database,
  { viewer, groupId }: { viewer: User; groupId?: number },
  limit: number,
): Promise<{ id: number }[]> {
  return database
    .selectFrom('namespace')
    .innerJoin('group_wiki', 'group_wiki.group_id', 'namespace.id')
    .select('namespace.id')
    .where(() => maySeeGroup(viewer))
    .where(() => isInGroup('namespace.id', groupId))
    .orderBy('namespace.full_path')
    .limit(limit)
    .execute()
}

function isInGroup(column: string, groupId: number | undefined): RawBuilder<SqlBool> {
  if (groupId === undefined) return sql<SqlBool>`true`
  return sql<SqlBool>`${sql.ref(column)} in ${groupsIn(groupId)}`
}

/** Whether the viewer may see issues or merge requests of the project, and with them its milestones. */
function hasPlansFor(viewer: User): RawBuilder<SqlBool> {
  const isMember = viewer.is_admin ? sql<SqlBool>`true` : isMemberOfProject(viewer, ACCESS_LEVELS.guest)
  return sql<SqlBool>`(${maySeeProject(viewer)} and project.archived = false
    and ('enabled' in (project.issues_access_level, project.merge_requests_access_level)
      or ('private' in (project.issues_access_level, project.merge_requests_access_level) and ${isMember})))`
}
