import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import type { User } from '../../access/caller.js'
import { isIssueSeen, readsIssues } from '../../access/planning-visibility.js'
import type { Database } from '../../database/connect.js'
import type { Tables } from '../../database/tables/database-tables.js'
import type { IssueRow } from '../stores/issue-store.js'

/** Query for issues that has no `select` yet. */
export type Issues = SelectQueryBuilder<Tables, 'issue', object>

export type Projects = ReturnType<typeof readableProjects>

/** Projects whose issues the caller may read, except for confidential ones. */
export function readableProjects(
  database: Database,
  { groupIds, viewer, non_archived = true }: ProjectScope,
) {
  return (
    database
      .selectFrom('project')
      .where(() => readsIssues(viewer))
      // In these words, they are the condition of an index.
      .where(sql<SqlBool>`project.issue_count > 0`)
      .$if(non_archived, (query) => query.where('project.archived', '=', false))
      .$if(groupIds !== undefined, (query) => query.where(sql<SqlBool>`project.namespace_id in ${groupIds}`))
  )
}

interface ProjectScope {
  /** Only in these groups: a list or a subquery. */
  groupIds?: RawBuilder<number> | undefined
  viewer: User | undefined
  non_archived: boolean | undefined
}

/** Query that starts from the projects. */
export function fromEachProject(projects: Projects, viewer: User | undefined): Issues {
  return projects.innerJoin('issue', 'issue.project_id', 'project.id').where(() => isIssueSeen(viewer))
}

/** Those of the issues with these IDs that the caller may see, in the order of their IDs. */
export async function visibleIssues(
  database: Database,
  viewer: User | undefined,
  ids: readonly number[],
): Promise<IssueRow[]> {
  if (ids.length === 0) return []
  const projects = readableProjects(database, { viewer, non_archived: false })
  return fromEachProject(projects, viewer)
    .selectAll('issue')
    .where('issue.id', 'in', ids)
    .orderBy('issue.id')
    .execute()
}
