import { tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import { ApiError, forbidden, unauthorized } from '../errors.js'
import type { Caller, User } from '../operation.js'
import { type Credential, JOB_TOKEN_PREFIX } from './credential.js'
import { hasOneOf, insufficientScope } from './scopes.js'
import { TokenStore } from './store.js'

/** Finds out who is calling (API gaps, A1 to A3). */
export class Authenticator {
  private readonly store: TokenStore

  constructor(database: Database) {
    this.store = new TokenStore(database)
  }

  /** Throws 401 for a token that is unknown, expired or revoked, and 403 for a blocked account. */
  async identify({ kind, token }: Credential): Promise<Caller> {
    const isJobToken = kind === 'job' || (kind === 'bearer' && token.startsWith(JOB_TOKEN_PREFIX))
    const caller = isJobToken ? await this.callerOfJobToken(token) : await this.callerOfToken(token)
    refuseInactive(caller.user)
    return caller
  }

  /** The caller in whose place an administrator acts (API gaps, A12). */
  async actAs(caller: Caller, who: string): Promise<Caller> {
    if (caller.kind === 'anonymous') throw unauthorized()
    if (!caller.user.is_admin) throw forbidden('Must be admin to use sudo')
    if (caller.kind !== 'user') {
      throw forbidden('Must be authenticated using an OAuth or Personal Access Token to use sudo')
    }
    if (!hasOneOf(caller.scopes, ['sudo'])) throw insufficientScope(['sudo'])
    const user = await this.findUser(who)
    if (!user) throw new ApiError(404, { message: `404 User with ID or username '${who}' Not Found` })
    refuseInactive(user)
    if (user.state === 'blocked') throw forbidden('Your account has been blocked.')
    return { ...caller, user, sudoBy: caller.user }
  }

  /** Takes an id or a username. */
  findUser(idOrName: string): Promise<User | undefined> {
    return /^\d{1,15}$/.test(idOrName)
      ? this.store.findUser(Number(idOrName))
      : this.store.findUserByName(idOrName)
  }

  private async callerOfToken(token: string): Promise<Extract<Caller, { kind: 'user' }>> {
    const row = await this.store.findToken(tokenDigest(token))
    if (!row) throw unauthorized()
    if (row.revoked) {
      throw invalidToken('Token was revoked. You have to re-authorize from the user.')
    }
    if (row.expires_at !== null && row.expires_at <= Date.now()) {
      throw invalidToken('Token is expired. You can either do re-authorization or token refresh.')
    }
    return { kind: 'user', user: row.user, scopes: row.scopes, tokenId: row.token_id }
  }

  private async callerOfJobToken(token: string): Promise<Extract<Caller, { kind: 'job' }>> {
    const job = await this.store.findRunningJob(tokenDigest(token))
    const user = job && (await this.store.findUser(job.user_id))
    if (!job || !user) throw unauthorized()
    return { kind: 'job', user, job }
  }
}

function refuseInactive(user: User): void {
  if (user.state !== 'active') throw forbidden('Your account has been blocked.')
}

function invalidToken(description: string): ApiError {
  return new ApiError(
    401,
    { error: 'invalid_token', error_description: description },
    {
      'www-authenticate': `Bearer realm="The API", error="invalid_token", error_description="${description}"`,
    },
  )
}
