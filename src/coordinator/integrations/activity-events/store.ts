import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'

import { DAY } from '../../../lib/time-units.js'
import { ACCESS_LEVELS } from '../../access/access-levels.js'
import { readListScope } from '../../access/list-scope.js'
import {
  isIssueSeen,
  readsIssues,
  readsMergeRequests,
  readsSnippets,
  readsWiki,
} from '../../access/planning-visibility.js'
import { isSnippetSeen } from '../../access/snippet-visibility.js'
import { isMemberOfProject, maySeeProject, opennessFor, type Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { dialectOf } from '../../database/dialect.js'
import type { ActivityTable } from '../../database/tables/activity-events.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { ListEvents } from './schema.js'

export type ActivityRow = Selectable<ActivityTable>

/** Filters by user, project or group; absent fields do not filter. */
export interface ActivityFilter extends ListEvents {
  authorId?: number | undefined
  projectId?: number | undefined
  /** Only in projects of this group and its subgroups. */
  groupId?: number | undefined
  /** Only in projects of which the viewer is a member. */
  ofMember?: boolean
}

/** Lists the activity visible to the viewer, newest first by default. */
export async function listActivity(
  database: Database,
  filter: ActivityFilter,
  caller: Viewer,
  paging: Paging,
): Promise<Rows<ActivityRow>> {
  const { viewer, groupIds } = await readListScope(database, { viewer: caller, groupId: filter.groupId })
  const joinsIssue = dialectOf(database) === 'postgres'
  const matching = database
    .selectFrom('activity')
    .innerJoin('project', 'project.id', 'activity.project_id')
    .$if(joinsIssue, (query) => query.leftJoin('issue', 'issue.id', 'activity.issue_id'))
    .where(maySeeProject(viewer))
    .where(({ or, eb }) => or([eb('activity.ref_kind', 'is', null), mayReadCode(viewer)]))
    .where(isTargetSeen(viewer, joinsIssue))
  const narrowed = conditionsOf(filter, viewer, groupIds).reduce(
    (query, condition) => query.where(condition),
    matching,
  )
  return listRows(database, narrowed, paging, {
    table: 'activity',
    column: 'id',
    direction: filter.sort ?? 'desc',
  })
}

function conditionsOf(filter: ActivityFilter, viewer: Viewer, groupIds: RawBuilder<number> | undefined) {
  const { authorId, projectId, ofMember, action, target_type, before, after } = filter
  return [
    ...(authorId === undefined ? [] : [sql<SqlBool>`activity.author_id = ${authorId}`]),
    ...(projectId === undefined ? [] : [sql<SqlBool>`activity.project_id = ${projectId}`]),
    ...(groupIds ? [sql<SqlBool>`project.namespace_id in ${groupIds}`] : []),
    ...(ofMember ? [viewer ? isMemberOfProject(viewer, 1) : sql<SqlBool>`false`] : []),
    ...(action === undefined ? [] : [sql<SqlBool>`activity.action = ${action}`]),
    ...(target_type === undefined ? [] : [isOn(target_type)]),
    ...(before === undefined ? [] : [sql<SqlBool>`activity.created_at < ${Date.parse(before)}`]),
    ...(after === undefined ? [] : [sql<SqlBool>`activity.created_at >= ${Date.parse(after) + DAY}`]),
  ]
}

function isOn(type: NonNullable<ActivityFilter['target_type']>): RawBuilder<SqlBool> {
  if (type === 'project') {
    const isOnNone = TARGETS.map((target) => sql`${sql.ref(`activity.${target}_id`)} is null`)
    return sql<SqlBool>`(activity.action = 'created' and ${sql.join(isOnNone, sql` and `)})`
  }
  const target = TARGETS.find((each) => each === (type === 'wiki' ? 'wiki_page' : type))
  return target ? sql<SqlBool>`${sql.ref(`activity.${target}_id`)} is not null` : sql<SqlBool>`1 = 0`
}

const TARGETS = ['issue', 'merge_request', 'milestone', 'wiki_page', 'note'] as const

/**
 * Activity on what the viewer may not see is hidden, too. `joinsIssue`: the query joins the issue. Without that,
 * PostgreSQL reads all issues; with it, SQLite takes three times as long.
 */
function isTargetSeen(viewer: Viewer, joinsIssue: boolean): RawBuilder<SqlBool> {
  const isSeen = joinsIssue
    ? isIssueSeen(viewer)
    : sql<SqlBool>`exists (select 1 from issue where issue.id = activity.issue_id and ${isIssueSeen(viewer)})`
  const isIssueShown = sql<SqlBool>`(${readsIssues(viewer)} and ${isSeen})`
  const readsPlans = sql<SqlBool>`(${readsIssues(viewer)} or ${readsMergeRequests(viewer)})`
  return sql<SqlBool>`((activity.issue_id is null or ${isIssueShown})
    and (activity.merge_request_id is null or ${readsMergeRequests(viewer)})
    and (activity.milestone_id is null or ${readsPlans})
    and (activity.wiki_page_id is null or ${readsWiki(viewer)})
    and (activity.note_id is null or ${isNoteShown(viewer)}))`
}

/** Comments are seen by those who see what they are on, and internal ones by reporters. */
function isNoteShown(viewer: Viewer): RawBuilder<SqlBool> {
  const isReporter = viewer ? isMemberOfProject(viewer, ACCESS_LEVELS.reporter) : sql<SqlBool>`false`
  const seesInternal = viewer?.is_admin ? sql<SqlBool>`true` : isReporter
  return sql<SqlBool>`exists (select 1 from note where note.id = activity.note_id
    and (note.internal = false or ${seesInternal})
    and (
      (note.merge_request_id is not null and ${readsMergeRequests(viewer)})
      or (note.commit_sha is not null and ${mayReadCode(viewer)})
      or (note.issue_id is not null and ${readsIssues(viewer)} and exists (
        select 1 from issue where issue.id = note.issue_id and ${isIssueSeen(viewer)}))
      or (note.snippet_id is not null and ${readsSnippets(viewer)} and exists (
        select 1 from snippet where snippet.id = note.snippet_id and ${isSnippetSeen(viewer)}))))`
}

/** Only users who may read the code see names of refs and commits. */
function mayReadCode(viewer: Viewer) {
  const isThere = sql<SqlBool>`project.repository_access_level <> 'disabled'`
  if (viewer?.is_admin) return isThere
  const isOpen = sql<SqlBool>`(project.visibility in (${sql.join(opennessFor(viewer))})
    and project.repository_access_level <> 'private')`
  const mayRead = viewer
    ? sql<SqlBool>`(${isOpen} or ${isMemberOfProject(viewer, ACCESS_LEVELS.reporter)})`
    : isOpen
  return sql<SqlBool>`(${isThere} and ${mayRead})`
}

export async function saveCommitFacts(
  database: Database,
  id: number,
  facts: Pick<ActivityRow, 'commit_count' | 'commit_title'>,
): Promise<void> {
  await database.updateTable('activity').set(facts).where('id', '=', id).execute()
}

/** Whether only the user and administrators can see the user's activity. */
export async function isProfilePrivate(database: Database, userId: number): Promise<boolean> {
  const profile = await database
    .selectFrom('user_profile')
    .select('private_profile')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return profile?.private_profile ?? false
}
