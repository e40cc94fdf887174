import { tokenDigest } from '../../../lib/tokens.js'
import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'

export const DEPLOY_TOKEN_PREFIX = 'gldt-'

/** A caller with a deploy token: not a user, with read access to a few repositories. */
export interface DeployTokenCaller {
  kind: 'deploy-token'
  projectId: number | null
  /** Full path of the group whose projects it can access. */
  groupPath: string | null
}

/**
 * Finds the deploy token; undefined for one that is unknown, revoked, expired or without repository scope.
 */
export async function findDeployTokenCaller(
  database: Database,
  token: string,
): Promise<DeployTokenCaller | undefined> {
  const row = await database
    .selectFrom('deploy_token as token')
    .leftJoin('namespace', 'namespace.id', 'token.namespace_id')
    .select(['token.project_id', 'token.scopes', 'token.expires_at', 'namespace.full_path'])
    .where('token.digest', '=', tokenDigest(token))
    .where('token.revoked', '=', false)
    .executeTakeFirst()
  if (!row || (row.expires_at !== null && row.expires_at <= Date.now())) return undefined
  if (!row.scopes.includes('read_repository')) return undefined
  return { kind: 'deploy-token', projectId: row.project_id, groupPath: row.full_path }
}

/** Whether the deploy token covers this project or one of its parent groups. */
export function canSeeProject({ projectId, groupPath }: DeployTokenCaller, project: Project): boolean {
  if (projectId !== null) return projectId === project.id
  return groupPath !== null && project.full_path.toLowerCase().startsWith(`${groupPath.toLowerCase()}/`)
}
