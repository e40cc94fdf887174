import type { AuditEvent } from '../database/tables/audit-events.js'
import type { ScimCaller } from './scim-deps.js'

/** The author of events without a user. */
const NOBODY = -1

/** What a provider has done with an account. */
export function scimEventOf(
  { provider, address, requestId }: ScimCaller,
  { id, username }: { id: number; username: string },
  message: string,
): AuditEvent {
  return {
    author_id: NOBODY,
    entity_type: 'User',
    entity_id: id,
    details: {
      custom_message: message,
      author_name: `SCIM of ${provider.label}`,
      provider: provider.name,
      target_id: id,
      target_type: 'User',
      target_details: username,
      ip_address: address,
      entity_path: username,
      request_id: requestId,
    },
  }
}

/** A token that was created on the server. */
export function tokenEventOf(provider: string): AuditEvent {
  return {
    author_id: NOBODY,
    entity_type: 'User',
    entity_id: NOBODY,
    details: {
      custom_message: `Created the SCIM token of ${provider} on the server`,
      author_name: 'Operator of the server',
      provider,
      target_type: 'ScimToken',
      target_details: provider,
      entity_path: provider,
    },
  }
}
