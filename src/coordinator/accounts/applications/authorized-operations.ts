import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { maySeeProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { type ApiResponse, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { listGrantedAccess, revokeGrantsTo } from '../oauth-grant-store.js'
import { AuthorizedApplication, AuthorizedApplicationId } from './authorized-schema.js'

/** The applications to which users have granted access (API, N16). */
export function authorizedApplicationOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /user/authorized_applications', {
      summary: 'List the applications that the current user has authorized',
      access: 'user',
      responses: { 200: Type.Array(AuthorizedApplication) },
      run: ({ user }) => listAuthorized(database, user, user.id),
    }),
    operation('DELETE /user/authorized_applications/:application_id', {
      summary: 'Revoke the access of an application to the account of the current user',
      access: 'user',
      params: AuthorizedApplicationId,
      responses: { 204: NoBody },
      run: ({ user, params }) =>
        revokeAuthorized(database, { userId: user.id, applicationId: params.application_id }),
    }),
  ]
}

/** The applications that a user has authorized, the one with the latest grant first, with projects that `viewer` sees. */
export async function listAuthorized(
  database: Database,
  viewer: User,
  userId: number,
): Promise<AuthorizedApplication[]> {
  const grants = await listGrantedAccess(database, userId)
  const ids = grants.flatMap(({ project_ids }) => project_ids ?? [])
  const paths = await visiblePaths(database, viewer, ids)
  const entries = new Map<number, AuthorizedApplication>()
  for (const grant of grants) {
    const { application_id: id, application_name, scopes, created_at, token_issued_at, project_ids } = grant
    const projects =
      project_ids?.map((each) => ({ id: each, path_with_namespace: paths.get(each) ?? null })) ?? null
    const entry = entries.get(id)
    if (entry) {
      entry.scopes = [...new Set([...entry.scopes, ...scopes])]
      entry.projects = both(entry.projects, projects)
    } else {
      entries.set(id, {
        id,
        application_name,
        scopes,
        projects,
        authorized_at: isoTime(created_at),
        token_issued_at: isoTime(token_issued_at),
      })
    }
  }
  return [...entries.values()]
}

type Projects = AuthorizedApplication['projects']

/** The projects that two grants to one application reach together. */
function both(first: Projects, second: Projects): Projects {
  if (!first || !second) return null
  return [...new Map([...first, ...second].map((each) => [each.id, each])).values()]
}

async function visiblePaths(database: Database, viewer: User, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('project')
    .select(['id', 'full_path'])
    .where('id', 'in', [...new Set(ids)])
    .where(maySeeProject(viewer))
    .execute()
  return new Map(rows.map(({ id, full_path }) => [id, full_path]))
}

/** Revokes all grants of a user to an application. Throws 404 if there is none. */
export async function revokeAuthorized(
  database: Database,
  grant: Parameters<typeof revokeGrantsTo>[1],
): Promise<ApiResponse> {
  if (!(await revokeGrantsTo(database, grant))) throw notFound('Application')
  return respond(204)
}
