import { MINUTE } from '../../../../lib/time-units.js'
import { newToken, tokenDigest } from '../../../../lib/tokens.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import type { ProvenIdentity } from '../provider.js'

/** Milliseconds in which the browser comes to the callback: it is sent there at once. */
const LIFE = 2 * MINUTE

/** An identity that a provider has proven, for the browser that has sent a request. */
export interface ProvenSignIn {
  /** ID of that request. */
  inResponseTo: string
  identity: ProvenIdentity
}

/**
 * Identities between the response of a provider, which arrives with a form of its site and so without cookies, and the
 * callback, which has the cookie of the attempt. They are encrypted, and used once.
 */
export class ProvenSignIns {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  /** Returns the token with which the callback finds it. */
  async keep(provider: string, signIn: ProvenSignIn): Promise<string> {
    const token = newToken()
    await this.database
      .insertInto('proven_sign_in')
      .values({
        digest: tokenDigest(token),
        provider,
        content_encrypted: this.secrets.encrypt(JSON.stringify(signIn)),
        expires_at: Date.now() + LIFE,
      })
      .execute()
    return token
  }

  /** Undefined for a token that is unknown, has been used or has expired, and for that of another provider. */
  async use(provider: string, token: string): Promise<ProvenSignIn | undefined> {
    const row = await this.database
      .deleteFrom('proven_sign_in')
      .where('digest', '=', tokenDigest(token))
      .where('provider', '=', provider)
      .returning(['content_encrypted', 'expires_at'])
      .executeTakeFirst()
    if (!row || row.expires_at <= Date.now()) return undefined
    // `keep` alone writes it.
    return JSON.parse(this.secrets.decrypt(row.content_encrypted)) as ProvenSignIn
  }
}

/** Periodic task: deletes those to which no browser came. */
export async function deleteProvenSignInsBefore(database: Database, time: number): Promise<void> {
  await database.deleteFrom('proven_sign_in').where('expires_at', '<', time).execute()
}
