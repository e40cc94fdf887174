import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { AuditEvent } from '../../database/tables/audit-events.js'
import type { Client } from './client.js'
import type { ProjectLimit } from './project-limit.js'

/** Records that a user has authorized an application. */
export type RecordAudit = (database: Database, granted: Granted) => Promise<void>

export interface Granted {
  user: User
  client: Client
  scopes: readonly string[]
  /** The projects that the grant is limited to; null = it is not. */
  projects: ProjectLimit['projects']
}

/** Never contains a code or a token (API, L4). */
export function grantEventOf(
  { user, client, scopes, projects }: Granted,
  request: { address: string; requestId: string },
): AuditEvent {
  return {
    author_id: user.id,
    entity_type: 'User',
    entity_id: user.id,
    details: {
      add: 'oauth_grant',
      custom_message: 'Authorized an OAuth application',
      author_name: user.name,
      target_id: client.id,
      target_type: 'Application',
      target_details: client.name,
      scopes: scopes.join(' '),
      ...(projects && { projects: projects.map(({ full_path }) => full_path).join(' ') }),
      ip_address: request.address,
      entity_path: user.username,
      request_id: request.requestId,
    },
  }
}
