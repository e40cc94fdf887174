import type { Selectable } from 'kysely'

import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import type { JobTable } from '../../database/tables/pipelines.js'
import { sameText } from '../../database/text.js'

export interface TokenRow {
  token_id: number
  scopes: string[]
  revoked: boolean
  expires_at: number | null
  user: User
}

export interface OauthTokenRow extends Omit<TokenRow, 'token_id'> {
  /** The only projects that the token reaches; null = all of the user. */
  project_ids: number[] | null
}

export interface SessionRow {
  id: number
  created_at: number
  personal_token_id: number | null
  confirmed_at: number | null
  /** Milliseconds since 1970. */
  ends_at: number
  /** Whether the user has to accept the terms of service before anything else. */
  must_accept_terms: boolean
  /** From when on the session is only for setting up a second factor, in milliseconds since 1970; null = never. */
  enrol_by: number | null
  user: User
}

const tokenByDigest = preparedRead((database, { digest }: { digest: Placeholder<string> }) =>
  database
    .selectFrom('personal_access_token as token')
    .innerJoin('user', 'user.id', 'token.user_id')
    .selectAll('user')
    .select(['token.id as token_id', 'token.scopes', 'token.revoked', 'token.expires_at'])
    .where('token.digest', '=', digest),
)

/** OAuth tokens of applications that act for a user. A token whose refresh token was used is invalid. */
const oauthTokenByDigest = preparedRead((database, { digest }: { digest: Placeholder<string> }) =>
  database
    .selectFrom('oauth_token as token')
    .innerJoin('oauth_grant as given', 'given.id', 'token.grant_id')
    .innerJoin('user', 'user.id', 'given.user_id')
    .selectAll('user')
    .select(['token.scopes', 'token.expires_at', 'token.refreshed_at'])
    .select(['given.revoked_at', 'given.project_ids'])
    .where('token.access_digest', '=', digest),
)

/** A session that a token opened is invalid as soon as the token is. */
const sessionByDigest = preparedRead((database, { digest }: { digest: Placeholder<string> }) =>
  database
    .selectFrom('web_session as session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .leftJoin('personal_access_token as token', 'token.id', 'session.personal_token_id')
    .leftJoin('application_setting as enforced', (join) =>
      join.on('enforced.name', '=', 'enforce_terms').on('enforced.value', '=', 'true'),
    )
    .leftJoin('application_setting as terms', (join) =>
      join.on('terms.name', '=', 'terms').on('terms.value', 'not in', ['null', '""']),
    )
    .leftJoin('terms_acceptance as accepted', 'accepted.user_id', 'session.user_id')
    .selectAll('user')
    .select([
      ...(['session.id as session_id', 'session.created_at as session_created_at'] as const),
      ...(['session.personal_token_id', 'session.confirmed_at', 'session.last_used_at'] as const),
      ...(['session.idle_timeout', 'session.expires_at as session_expires_at'] as const),
      ...(['token.revoked as token_revoked', 'token.expires_at as token_expires_at'] as const),
      'session.enrol_by',
      ...(['enforced.name as enforced_setting', 'terms.updated_at as terms_version'] as const),
      'accepted.terms_version as accepted_version',
    ])
    .where('session.token_digest', '=', digest),
)

const runningJobByDigest = preparedRead((database, { digest }: { digest: Placeholder<string> }) =>
  database
    .selectFrom('job')
    .selectAll()
    .where('token_digest', '=', digest)
    .where('status', 'in', ['running', 'canceling']),
)

const userById = preparedRead((database, { id }: { id: Placeholder<number> }) =>
  database.selectFrom('user').selectAll().where('id', '=', id),
)

/** Finds the owners of tokens. Nothing is cached: a revoked token is invalid from the next request on. */
export class TokenStore {
  constructor(private readonly database: Database) {}

  /** Whether the user has confirmed the address of the account. */
  async isConfirmed(userId: number): Promise<boolean> {
    const profile = await this.database
      .selectFrom('user_profile')
      .select('confirmed_at')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return profile !== undefined && profile.confirmed_at !== null
  }

  async findToken(digest: string): Promise<TokenRow | undefined> {
    const [row] = await tokenByDigest(this.database, { digest })
    if (!row) return undefined
    const { token_id, scopes, revoked, expires_at, ...user } = row
    return { token_id, scopes, revoked, expires_at, user }
  }

  async findOauthToken(digest: string): Promise<OauthTokenRow | undefined> {
    const [row] = await oauthTokenByDigest(this.database, { digest })
    if (!row) return undefined
    const { scopes, expires_at, refreshed_at, revoked_at, project_ids, ...user } = row
    const revoked = refreshed_at !== null || revoked_at !== null
    return { scopes, revoked, expires_at, project_ids, user }
  }

  /** The session with this cookie, even one that has ended. */
  async findSession(digest: string): Promise<SessionRow | undefined> {
    const [row] = await sessionByDigest(this.database, { digest })
    if (!row) return undefined
    const { session_id, session_created_at, personal_token_id, confirmed_at, ...rest } = row
    const { last_used_at, idle_timeout, session_expires_at, token_revoked, token_expires_at, ...found } = rest
    const { enforced_setting, terms_version, accepted_version, enrol_by, ...user } = found
    const ends = [session_expires_at, last_used_at + idle_timeout, token_expires_at ?? Infinity]
    return {
      id: session_id,
      created_at: session_created_at,
      personal_token_id,
      confirmed_at,
      enrol_by,
      ends_at: token_revoked ? 0 : Math.min(...ends),
      must_accept_terms:
        enforced_setting !== null && terms_version !== null && terms_version !== accepted_version,
      user,
    }
  }

  /** The running job with this token. */
  async findRunningJob(digest: string): Promise<Selectable<JobTable> | undefined> {
    const [job] = await runningJobByDigest(this.database, { digest })
    return job
  }

  async findUser(id: number): Promise<User | undefined> {
    const [user] = await userById(this.database, { id })
    return user
  }

  findUserByName(username: string): Promise<User | undefined> {
    return this.database
      .selectFrom('user')
      .selectAll()
      .where(({ ref }) => sameText(ref('username'), username))
      .executeTakeFirst()
  }
}
