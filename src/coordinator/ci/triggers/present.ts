import type { User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import type { TriggerRow } from '../trigger-store.js'
import type { Trigger } from './schema.js'

export interface TriggerPresentation {
  owner: User | undefined
  /** The caller. */
  viewer: User
  secrets: SecretBox
  externalUrl: string
}

/** Shows a token only to its owner, because its holder acts with that user's permissions. */
export function presentTrigger(
  row: TriggerRow,
  { owner, viewer, secrets, externalUrl }: TriggerPresentation,
): Trigger {
  const { id, description, short_token, token_encrypted } = row
  return {
    id,
    token: row.owner_id === viewer.id ? secrets.decrypt(token_encrypted) : short_token,
    description,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    last_used: isoTimeOrNull(row.last_used),
    expires_at: isoTimeOrNull(row.expires_at),
    owner: owner ? presentUser(owner, externalUrl) : null,
  }
}
