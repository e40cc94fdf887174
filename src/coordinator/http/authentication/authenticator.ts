import { apiErrorMessage } from '../../../error-catalogue/api-errors.js'
import { DAY, SECOND } from '../../../lib/time-units.js'
import { tokenDigest } from '../../../lib/tokens.js'
import type { Caller, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { hasFactor } from '../../database/stores/second-factor-store.js'
import { ApiError, apiError, unauthorized } from '../errors.js'
import type { SharedCounts } from '../rate-limits/shared-counts.js'
import { type Credential, JOB_TOKEN_PREFIX, PERSONAL_TOKEN_PREFIX } from './credential.js'
import type { LoginGuard } from './login-guard.js'
import { Passwords } from './passwords.js'
import { hasOneOf, insufficientScope, MCP_SCOPE } from './scopes.js'
import { type OauthTokenRow, type SessionRow, TokenStore } from './store.js'
import type { TokenUses } from './token-uses.js'

/** Milliseconds in which users of new accounts may confirm their address, if that is not needed at once. */
const SOFT_CONFIRMATION = 3 * DAY

type UserCaller = Extract<Caller, { kind: 'user' }>

/** The user name of no account, with which a job sends its token to git (API, B). */
const JOB_USER = 'gitlab-ci-token'

/** Authenticates callers (API, A1 to A3). */
export class Authenticator {
  private readonly store: TokenStore
  private readonly passwords: Passwords

  constructor(
    private readonly database: Database,
    private readonly uses?: TokenUses,
    /** Called with a user who has the correct password but may not sign in. */
    private readonly onRefusedLogin?: (user: User) => Promise<void>,
    /** Shares the counts of failed passwords with other coordinators. */
    shared?: SharedCounts,
    /** Whether git accepts the passwords of users. */
    private readonly takesPasswordsForGit: () => boolean = () => true,
  ) {
    this.store = new TokenStore(database)
    this.passwords = new Passwords(database, Date.now, shared)
  }

  /**
   * Throws 401 for a token that is unknown, expired or revoked, and 403 for a blocked account and for a session whose
   * user has not accepted the terms of service, or has to set up a second factor. Tokens are for programs, which cannot
   * accept anything: they stay valid.
   */
  async identify({ kind, token }: Credential): Promise<Caller> {
    if (kind === 'session') return this.callerOfSession(token)
    const isJobToken = kind === 'job' || (kind === 'bearer' && token.startsWith(JOB_TOKEN_PREFIX))
    const caller = isJobToken ? await this.callerOfJobToken(token) : await this.callerOfEither(kind, token)
    refuseInactive(caller.user)
    return caller
  }

  /** The session of a cookie; undefined if there is none, if it has ended, or if the account is blocked. */
  async findSession(cookie: string): Promise<SessionRow | undefined> {
    const session = await this.store.findSession(tokenDigest(cookie))
    if (!session || session.user.state !== 'active' || hasEnded(session.ends_at)) return undefined
    this.uses?.recordSession(session.id, session.user.id)
    return session
  }

  private async callerOfSession(cookie: string): Promise<UserCaller> {
    const session = await this.findSession(cookie)
    if (!session) throw unauthorized()
    if (session.must_accept_terms) throw termsNotAccepted()
    if (mustEnrol(session)) throw twoFactorRequired()
    return callerOfSession(session)
  }

  /**
   * Tokens of applications are only valid as bearer tokens; personal access tokens are valid in either form
   * (API, A1).
   */
  private async callerOfEither(kind: 'personal' | 'bearer' | 'job', token: string): Promise<UserCaller> {
    const isNever = kind !== 'bearer' || token.startsWith(PERSONAL_TOKEN_PREFIX)
    return (isNever ? undefined : await this.callerOfOauthToken(token)) ?? this.callerOfToken(token)
  }

  /**
   * Authenticates a git client by user name and password; the password may be a token or the password of the
   * account (API, B).
   */
  async identifyForGit(name: string, password: string, guard?: LoginGuard): Promise<Caller> {
    if (password.startsWith(JOB_TOKEN_PREFIX)) return this.identify({ kind: 'job', token: password })
    if ((await this.isToken(password)) || name === JOB_USER) {
      return this.identify({ kind: 'bearer', token: password })
    }
    if (!this.takesPasswordsForGit()) throw unauthorized()
    const user = await this.identifyByPassword(name, password, guard)
    if (!user) throw unauthorized()
    return { kind: 'user', user, scopes: ['read_repository', 'write_repository'], tokenId: undefined }
  }

  /** Whether it is a token of a user or an application, even an expired one. */
  private async isToken(text: string): Promise<boolean> {
    const digest = tokenDigest(text)
    if (await this.store.findToken(digest)) return true
    return !text.startsWith(PERSONAL_TOKEN_PREFIX) && (await this.store.findOauthToken(digest)) !== undefined
  }

  /**
   * Returns the user with this name or primary address and this password, undefined for wrong credentials.
   * Throws 429 after too many wrong ones, and 403 for a blocked account, an unconfirmed address, and an account with a
   * second factor.
   */
  async identifyByPassword(name: string, password: string, guard?: LoginGuard): Promise<User | undefined> {
    const found = await this.identifyByFirstFactor(name, password, guard)
    if (found?.needsSecondFactor) throw apiError('second_factor_needed')
    return found?.user
  }

  /**
   * As `identifyByPassword`, for callers that ask for the second factor next: with `needsSecondFactor` the password alone
   * gives no access, and the caller reports the sign-in to the guard.
   */
  async identifyByFirstFactor(
    name: string,
    password: string,
    guard?: LoginGuard,
  ): Promise<{ user: User; needsSecondFactor: boolean } | undefined> {
    const user = await this.userOfPassword(name, password, guard)
    if (!user) return undefined
    if (user.state !== 'active') await this.recordRejected(user, guard)
    refuseInactive(user)
    if (await this.mustConfirm(user)) throw apiError('email_not_confirmed')
    const needsSecondFactor = await hasFactor(this.database, user.id)
    if (!needsSecondFactor) guard?.accepted(user)
    return { user, needsSecondFactor }
  }

  /** Whether the user has to confirm the address before a password is accepted. */
  private async mustConfirm({ id, created_at }: User): Promise<boolean> {
    if (await this.store.isConfirmed(id)) return false
    const name = 'email_confirmation_setting'
    const { [name]: setting } = await effectiveSettings(this.database, name)
    return setting === 'hard' || (setting === 'soft' && created_at < Date.now() - SOFT_CONFIRMATION)
  }

  private userOfPassword(name: string, password: string, guard?: LoginGuard): Promise<User | undefined> {
    guard?.check()
    return this.passwords.userOf(name, password, { address: guard?.address, onWrong: guard?.refused })
  }

  private async recordRejected(user: User, guard?: LoginGuard): Promise<void> {
    await guard?.refused(user)
    await this.onRefusedLogin?.(user)
  }

  /** Returns the user on whose behalf an administrator acts (API, A12). */
  async actAs(caller: Caller, who: string): Promise<Caller> {
    if (caller.kind === 'anonymous') throw unauthorized()
    if (!caller.user.is_admin) throw apiError('sudo_not_admin')
    if (caller.kind !== 'user') {
      throw apiError('sudo_wrong_credential')
    }
    if (!hasOneOf(caller.scopes, ['sudo'])) throw insufficientScope(['sudo'])
    const user = await this.findUser(who)
    if (!user) throw apiError('sudo_user_not_found', { who })
    refuseInactive(user)
    return { ...caller, user, sudoBy: caller.user }
  }

  /** Accepts an id or a username. */
  findUser(idOrName: string): Promise<User | undefined> {
    return /^\d{1,15}$/.test(idOrName)
      ? this.store.findUser(Number(idOrName))
      : this.store.findUserByName(idOrName)
  }

  /** Undefined unless it is the token of an application that acts for a user. */
  private async callerOfOauthToken(token: string): Promise<UserCaller | undefined> {
    const row = await this.store.findOauthToken(tokenDigest(token))
    if (!row) return undefined
    refuseEnded(row)
    this.uses?.record(undefined, row.user.id)
    return { kind: 'user', user: row.user, tokenId: undefined, ...reachOf(row) }
  }

  private async callerOfToken(token: string): Promise<UserCaller> {
    const row = await this.store.findToken(tokenDigest(token))
    if (!row) throw unauthorized()
    refuseEnded(row)
    this.uses?.record(row.token_id, row.user.id)
    return { kind: 'user', user: row.user, scopes: row.scopes, tokenId: row.token_id }
  }

  private async callerOfJobToken(token: string): Promise<Extract<Caller, { kind: 'job' }>> {
    const job = await this.store.findRunningJob(tokenDigest(token))
    const user = job && (await this.store.findUser(job.user_id))
    if (!job || !user) throw unauthorized()
    return { kind: 'job', user, job }
  }
}

/** A token that is limited to projects permits the operations of the tools, which are all below a project, and no others. */
function reachOf({ scopes, project_ids }: OauthTokenRow): Pick<UserCaller, 'scopes' | 'projectIds'> {
  if (project_ids === null) return { scopes }
  return { scopes: scopes.filter((scope) => scope === MCP_SCOPE), projectIds: project_ids }
}

/** A session permits what the scope `api` does: never `sudo`, and git does not read cookies. */
function callerOfSession({ id, user, personal_token_id, confirmed_at }: SessionRow): UserCaller {
  const session = { id, personalTokenId: personal_token_id, confirmedAt: confirmed_at }
  return { kind: 'user', user, scopes: ['api'], tokenId: undefined, session }
}

/** A session ends at the start of a second, because cached responses are valid until the end of theirs. */
function hasEnded(endsAt: number): boolean {
  return Math.floor(endsAt / SECOND) <= Math.floor(Date.now() / SECOND)
}

function refuseEnded({ revoked, expires_at }: { revoked: boolean; expires_at: number | null }): void {
  if (revoked) throw invalidToken('Token was revoked. You have to re-authorize from the user.')
  if (expires_at !== null && expires_at <= Date.now()) {
    throw invalidToken('Token is expired. You can either do re-authorization or token refresh.')
  }
}

/** Throws 403 for an account that is blocked, banned or deactivated. */
export function refuseInactive(user: Pick<User, 'state'>): void {
  if (user.state !== 'active') throw apiError('account_blocked')
}

const TERMS_NOT_ACCEPTED = 'terms_not_accepted'

function termsNotAccepted(): ApiError {
  return new ApiError(TERMS_NOT_ACCEPTED, {
    error: TERMS_NOT_ACCEPTED,
    message: apiErrorMessage(TERMS_NOT_ACCEPTED),
  })
}

/** Whether a session was refused because its user has to do something first, such as accept the terms of service. */
export function isSetupRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.code === TERMS_NOT_ACCEPTED || error.code === TWO_FACTOR_REQUIRED)
  )
}

const TWO_FACTOR_REQUIRED = 'two_factor_required'

function twoFactorRequired(): ApiError {
  return new ApiError(TWO_FACTOR_REQUIRED, {
    error: TWO_FACTOR_REQUIRED,
    message: apiErrorMessage(TWO_FACTOR_REQUIRED),
  })
}

/** Whether a session is only for setting up a second factor. */
export function mustEnrol({ enrol_by }: Pick<SessionRow, 'enrol_by'>): boolean {
  return enrol_by !== null && enrol_by <= Date.now()
}

function invalidToken(description: string): ApiError {
  return new ApiError(
    'token_expired',
    { error: 'invalid_token', error_description: description },
    {
      'www-authenticate': `Bearer realm="The API", error="invalid_token", error_description="${description}"`,
    },
  )
}
