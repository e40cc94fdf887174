import type { CallerSession } from '../access/caller.js'
import type { WebSession } from '../database/stores/web-session-store.js'
import { isoTime, isoTimeOrNull } from '../http/presenters/present-time.js'
import type { SessionRecord } from './schema.js'

/** `current`: the session of the request. */
export function presentSession(session: WebSession, current: CallerSession | undefined): SessionRecord {
  return {
    id: session.id,
    current: session.id === current?.id,
    ip_address: session.address,
    user_agent: session.user_agent,
    second_factor: session.factor,
    provider: session.provider,
    personal_access_token_id: session.personal_token_id,
    created_at: isoTime(session.created_at),
    last_used_at: isoTime(session.last_used_at),
    confirmed_at: isoTimeOrNull(session.confirmed_at),
    expires_at: isoTime(session.expires_at),
  }
}
