import type { FastifyRequest } from 'fastify'

import type { User } from '../access/caller.js'
import type { AuditDetails, AuditEvent } from '../database/tables/audit-events.js'
import type { SessionFactor } from '../database/tables/sessions.js'

/** How a user signed in: by a password, a personal access token, a sign-in link, a passkey alone or an identity provider. */
export type SignInMethod = 'standard' | 'token' | 'link' | 'passkey' | 'provider'

/** `factor`: the second one, if the user gave one. `provider`: the name of the identity provider. */
export function signInEventOf(
  user: User,
  {
    method,
    factor,
    provider,
  }: { method: SignInMethod; factor: SessionFactor | undefined; provider: string | undefined },
  request: FastifyRequest,
): AuditEvent {
  const details = {
    with: method,
    ...(provider !== undefined && { provider }),
    ...(factor !== undefined && { second_factor: factor }),
  }
  return eventOfUser(user, { ...details, custom_message: 'Signed in' }, request)
}

/** What users did with their own account, such as `Accepted the terms of service`. */
export function ownEventOf(user: User, message: string, request: FastifyRequest): AuditEvent {
  return eventOfUser(user, { custom_message: message }, request)
}

/** What a user did in a page, as the details say. */
export function eventOfUser(user: User, details: AuditDetails, request: FastifyRequest): AuditEvent {
  return {
    author_id: user.id,
    entity_type: 'User',
    entity_id: user.id,
    details: {
      ...details,
      author_name: user.name,
      target_id: user.id,
      target_type: 'User',
      target_details: user.username,
      ip_address: request.ip,
      entity_path: user.username,
      request_id: request.id,
    },
  }
}
