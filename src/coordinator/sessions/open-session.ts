import { randomBytes } from 'node:crypto'

import { DAY, HOUR, MINUTE } from '../../lib/time-units.js'
import { tokenDigest } from '../../lib/tokens.js'
import type { User } from '../access/caller.js'
import { enrolmentDeadline } from '../accounts/two-factor/demand.js'
import type { Database } from '../database/connect.js'
import { effectiveSettings } from '../database/stores/application-setting-store.js'
import { deleteOldestSessions, insertSession } from '../database/stores/web-session-store.js'
import type { SessionFactor } from '../database/tables/sessions.js'

/** Lifetimes of a session, in milliseconds: without a request, and in all. */
const LASTING = { idle: 14 * DAY, inAll: 90 * DAY }
/** In all: the setting `session_expire_delay`. */
const SHORT = { idle: 24 * HOUR }

/** Maximum number of sessions of one user; a new one ends the oldest. */
const MAX_SESSIONS = 100
/** Maximum length of a stored `User-Agent`, in characters. */
const MAX_AGENT_LENGTH = 500

/** The session at an identity provider that has opened one here, and ends it. */
export interface ProviderSession {
  name: string
  /** ID of the user at the provider. */
  subject: string
  /** ID of the session at the provider; null if it gives none. */
  sid: string | null
}

export interface NewSession {
  user: Pick<User, 'id'>
  /** Whether the session outlives the browser. */
  staysSignedIn: boolean
  /** Whether the user gave a password or a token, or an administrator vouches for them. */
  isConfirmed: boolean
  /** The personal access token with which the session ends. */
  personalTokenId: number | null
  /** The second factor; undefined = none. */
  factor?: SessionFactor | undefined
  /** IP address of the browser. */
  address: string
  userAgent: string | undefined
  provider?: ProviderSession | undefined
}

/** A session that was opened, with the value of its cookie, which is not stored. */
export interface OpenedSession {
  id: number
  cookie: string
  /** Lifetime of the cookie in seconds; undefined = until the browser closes. */
  maxAge: number | undefined
  /** From when on it is only for setting up a second factor, in milliseconds since 1970; null = never. */
  enrolBy: number | null
}

/** Opens a session under a new cookie. */
export async function openSession(
  database: Database,
  { user, staysSignedIn, isConfirmed, personalTokenId, address, userAgent, provider, factor }: NewSession,
): Promise<OpenedSession> {
  const cookie = randomBytes(32).toString('base64url')
  const now = Date.now()
  // The factor at the provider counts as one here, for this session.
  const enrolBy = factor === 'provider' ? null : await enrolmentDeadline(database, user.id)
  const { idle, inAll } = staysSignedIn ? LASTING : { ...SHORT, inAll: await shortLifetime(database) }
  const { id } = await insertSession(database, {
    user_id: user.id,
    token_digest: tokenDigest(cookie),
    personal_token_id: personalTokenId,
    idle_timeout: idle,
    created_at: now,
    last_used_at: now,
    expires_at: now + inAll,
    confirmed_at: isConfirmed ? now : null,
    address,
    user_agent: userAgent?.slice(0, MAX_AGENT_LENGTH) ?? null,
    provider: provider?.name ?? null,
    provider_subject: provider?.subject ?? null,
    provider_sid: provider?.sid ?? null,
    factor: factor ?? null,
    enrol_by: enrolBy,
  })
  await deleteOldestSessions(database, user.id, MAX_SESSIONS)
  return { id, cookie, maxAge: staysSignedIn ? LASTING.inAll / 1000 : undefined, enrolBy }
}

async function shortLifetime(database: Database): Promise<number> {
  const { session_expire_delay } = await effectiveSettings(database, 'session_expire_delay')
  return session_expire_delay * MINUTE
}
