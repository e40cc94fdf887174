import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { ACCESS_LEVELS } from './access-levels.js'
import { isMemberOfProject, type Viewer } from './visibility.js'

type Condition = RawBuilder<SqlBool>

/** Condition on the table `snippet`: those of one project that a member, a user or a visitor sees. */
export function isSeenInProject(viewer: Viewer, isMember: boolean): Condition {
  return isMember ? sql<SqlBool>`true` : isSeenPersonally(viewer)
}

/** Condition on the table `snippet`: personal ones that the viewer sees. */
export function isSeenPersonally(viewer: Viewer): Condition {
  if (viewer?.is_admin) return sql<SqlBool>`true`
  return sql<SqlBool>`(${isOpenTo(viewer)} or ${isBy(viewer)})`
}

/** Condition on the table `snippet`: the viewer sees it if they see the snippets of its project, or it is personal. */
export function isSnippetSeen(viewer: Viewer): Condition {
  if (!viewer) return isSeenPersonally(viewer)
  const isMember = isMemberOfProject(viewer, ACCESS_LEVELS.guest)
  return sql<SqlBool>`(${isSeenPersonally(viewer)}
    or snippet.project_id in (select project.id from project where ${isMember}))`
}

function isOpenTo(viewer: Viewer): Condition {
  const open = viewer && !viewer.external ? ['public', 'internal'] : ['public']
  return sql<SqlBool>`snippet.visibility in (${sql.join(open)})`
}

function isBy(viewer: Viewer): Condition {
  return viewer ? sql<SqlBool>`snippet.author_id = ${viewer.id}` : sql<SqlBool>`false`
}
