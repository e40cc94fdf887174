import type { Compilable, CompiledQuery, Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { sameText } from '../../database/text.js'
import type { JobTable } from '../../engine/tables.js'
import type { User } from '../operation.js'

export interface TokenRow {
  token_id: number
  scopes: string[]
  revoked: boolean
  expires_at: number | null
  user: User
}

interface JoinedRow extends User {
  token_id: number
  scopes: string[]
  revoked: boolean
  expires_at: number | null
}

/** The queries that nearly every request makes, written out once. */
export class TokenStore {
  private readonly byDigest: CompiledQuery<JoinedRow>

  constructor(private readonly database: Database) {
    const query: Compilable<JoinedRow> = database
      .selectFrom('personal_access_token as token')
      .innerJoin('user', 'user.id', 'token.user_id')
      .selectAll('user')
      .select(['token.id as token_id', 'token.scopes', 'token.revoked', 'token.expires_at'])
      .where('token.digest', '=', '')
    this.byDigest = query.compile()
  }

  async findToken(digest: string): Promise<TokenRow | undefined> {
    const { rows } = await this.database.executeQuery<JoinedRow>({ ...this.byDigest, parameters: [digest] })
    const row = rows[0]
    if (!row) return undefined
    const { token_id, scopes, revoked, expires_at, ...user } = row
    return { token_id, scopes, revoked, expires_at, user }
  }

  /** The job whose token this is, while the token may be used. */
  findRunningJob(digest: string): Promise<Selectable<JobTable> | undefined> {
    return this.database
      .selectFrom('job')
      .selectAll()
      .where('token_digest', '=', digest)
      .where('status', 'in', ['running', 'canceling'])
      .executeTakeFirst()
  }

  findUser(id: number): Promise<User | undefined> {
    return this.database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
  }

  findUserByName(username: string): Promise<User | undefined> {
    return this.database
      .selectFrom('user')
      .selectAll()
      .where(({ ref }) => sameText(ref('username'), username))
      .executeTakeFirst()
  }
}
