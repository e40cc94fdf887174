import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { ACCESS_LEVELS } from './access-levels.js'
import type { FeatureColumn } from './project-features.js'
import { isMemberOfProject, maySeeProject, opennessFor, type Viewer } from './visibility.js'

type Condition = RawBuilder<SqlBool>

/** Condition on the table `project`: the permission `read_issues`. Confidential issues may be hidden nevertheless. */
export function readsIssues(viewer: Viewer): Condition {
  return readsAsGuest(viewer, 'issues_access_level')
}

/** Condition on the table `project`: the permission `read_wiki`. */
export function readsWiki(viewer: Viewer): Condition {
  return readsAsGuest(viewer, 'wiki_access_level')
}

/** Condition on the table `project`: the permission `read_code`. */
export function readsCode(viewer: Viewer): Condition {
  return sql<SqlBool>`(project.deletion_started_at is null
    and ${readsFeatures(viewer, ['repository_access_level'])})`
}

/** Condition on the tables `issue` and `project`: the issue is not hidden from the caller by being confidential. */
export function isIssueSeen(viewer: Viewer): Condition {
  if (viewer?.is_admin) return sql<SqlBool>`true`
  const isReporter = viewer ? isMemberOfProject(viewer, ACCESS_LEVELS.reporter) : sql<SqlBool>`false`
  return sql<SqlBool>`(issue.confidential = false or ${isInvolved(viewer)} or ${isReporter})`
}

/** Condition on the table `issue`: the caller is author or assignee. */
export function isInvolved(viewer: Viewer): Condition {
  if (!viewer) return sql<SqlBool>`false`
  return sql<SqlBool>`(issue.author_id = ${viewer.id} or ${isAssigned(viewer.id)})`
}

/** Condition on the table `issue`: a user is assigned; `who` is an ID or a subquery of IDs in parentheses. */
export function isAssigned(who: number | RawBuilder<number>): Condition {
  const users = typeof who === 'number' ? sql`(${who})` : who
  return sql<SqlBool>`issue.id in (select issue_id from issue_assignee where user_id in ${users})`
}

/**
 * Condition on the table `project`: the permission `read_merge_requests`. Merge requests show code, so that the
 * repository must be available, too.
 */
export function readsMergeRequests(viewer: Viewer): Condition {
  return readsFeatures(viewer, ['merge_requests_access_level', 'repository_access_level'])
}

/**
 * Condition on the table `note`: the note does not say that something names its owner, or the viewer sees what does. The
 * place may have become private since.
 */
export function isNamingPlaceSeen(viewer: Viewer): Condition {
  return sql<SqlBool>`(note.action is null or note.action <> 'cross_reference'
    or exists (select 1 from issue join project on project.id = issue.project_id
      where issue.id = note.named_by_issue_id and ${readsIssues(viewer)} and ${isIssueSeen(viewer)})
    or exists (select 1 from merge_request join project on project.id = merge_request.project_id
      where merge_request.id = note.named_by_merge_request_id and ${readsMergeRequests(viewer)})
    or exists (select 1 from project
      where project.id = note.named_by_project_id and ${readsFeatures(viewer, ['repository_access_level'])}))`
}

/** Condition on the table `project`: the permission `read_environments`. */
export function readsEnvironments(viewer: Viewer): Condition {
  return readsFeatures(viewer, ['environments_access_level'])
}

const PIPELINES: FeatureColumn[] = ['builds_access_level', 'repository_access_level']

/**
 * Condition on the table `project`: the permission `read_pipelines`. If `public_jobs` is set, everyone who sees
 * the project has it; otherwise reporters by a membership.
 */
export function readsPipelines(viewer: Viewer): Condition {
  const isThere = areAll(PIPELINES, `<> 'disabled'`)
  if (viewer?.is_admin) return isThere
  const isOpen = sql<SqlBool>`project.visibility in (${sql.join(opennessFor(viewer))})`
  const isForVisitors = sql<SqlBool>`(project.public_jobs = true and ${isOpen}
    and ${areAll(PIPELINES, `= 'enabled'`)})`
  if (!viewer) return isForVisitors
  return sql<SqlBool>`(${isForVisitors} or (${isThere}
    and ((project.public_jobs = true and ${isMemberOfProject(viewer, ACCESS_LEVELS.guest)})
      or ${isMemberOfProject(viewer, ACCESS_LEVELS.reporter)})))`
}

function areAll(levels: FeatureColumn[], comparison: string): Condition {
  const each = levels.map((level) => sql`${sql.ref(`project.${level}`)} ${sql.raw(comparison)}`)
  return sql<SqlBool>`(${sql.join(each, sql` and `)})`
}

/** Condition on the table `project`: the caller has the role of a reporter for all of these features. */
function readsFeatures(viewer: Viewer, levels: FeatureColumn[]): Condition {
  const isThere = areAll(levels, `<> 'disabled'`)
  if (viewer?.is_admin) return isThere
  const isOpen = sql<SqlBool>`project.visibility in (${sql.join(opennessFor(viewer))})`
  const isForAll = areAll(levels, `= 'enabled'`)
  if (!viewer) return sql<SqlBool>`(${isOpen} and ${isForAll})`
  return sql<SqlBool>`(${isThere} and ((${isOpen} and ${isForAll})
    or (${isOpen} and ${isMemberOfProject(viewer, ACCESS_LEVELS.guest)})
    or ${isMemberOfProject(viewer, ACCESS_LEVELS.reporter)}))`
}

/** Condition on the table `project`: the permission `read_snippets`. Single snippets may be hidden nevertheless. */
export function readsSnippets(viewer: Viewer): Condition {
  return readsAsGuest(viewer, 'snippets_access_level')
}

/** Condition on the table `project`: the caller has at least the role of a guest for this feature. */
function readsAsGuest(viewer: Viewer, feature: FeatureColumn): Condition {
  const level = sql.ref(`project.${feature}`)
  const isMember = viewer ? isMemberOfProject(viewer, ACCESS_LEVELS.guest) : sql<SqlBool>`false`
  const isKept = viewer?.is_admin ? sql<SqlBool>`true` : isMember
  return sql<SqlBool>`(${maySeeProject(viewer)} and (${level} = 'enabled'
    or (${level} = 'private' and ${isKept})))`
}
