import type { RawBuilder, SqlBool } from 'kysely'

import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { isSeenInProject, isSeenPersonally } from '../../access/snippet-visibility.js'
import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { findSnippet, type SnippetRow } from './store.js'

/** The relation of a caller to the project of snippets. */
export interface CallerInProject {
  project: Project
  user: User | undefined
  /** Effective access level in the project. */
  accessLevel: number
  /** The access level from membership alone. */
  membership: number
}

/** Condition on the table `snippet`: members see the private ones, too. */
export function isSeenBy({ user, membership }: CallerInProject): RawBuilder<SqlBool> {
  return isSeenInProject(user, membership >= ACCESS_LEVELS.guest)
}

/** Throws 404 for a snippet that the caller may not see. */
export async function requireSnippet(
  database: Database,
  place: CallerInProject,
  id: number,
): Promise<SnippetRow> {
  const row = await findSnippet(database, { id, projectId: place.project.id }, isSeenBy(place))
  if (!row) throw notFound('Snippet')
  return row
}

/** As `requireSnippet`, for a personal snippet. */
export async function requirePersonalSnippet(
  database: Database,
  viewer: User | undefined,
  id: number,
): Promise<SnippetRow> {
  const row = await findSnippet(database, { id, projectId: null }, isSeenPersonally(viewer))
  if (!row) throw notFound('Snippet')
  return row
}
