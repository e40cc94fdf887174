import type { User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import { sameText } from '../database/text.js'
import { SourceRecordError, UnavailableError } from './errors.js'
import { type SourcePerson, sourceReader, SourceUser } from './source/records.js'
import type { SourceClient } from './source/source-client.js'

/** Number of users of the source that are remembered. */
const MAX_REMEMBERED = 20_000

const readUser = sourceReader(SourceUser)

/** Finds the accounts of users of the source by their e-mail addresses. */
export class SourcePeople {
  private readonly accounts = new Map<number, Promise<number | undefined>>()

  constructor(
    private readonly client: SourceClient,
    private readonly database: Database,
  ) {}

  /**
   * ID of the account that has the address of this user of the source as a confirmed one; undefined if there is none, or the
   * source does not show the address.
   */
  accountOf({ id }: Pick<SourcePerson, 'id'>): Promise<number | undefined> {
    const known = this.accounts.get(id)
    if (known) return known
    if (this.accounts.size >= MAX_REMEMBERED) this.accounts.clear()
    const found = this.findAccount(id)
    this.accounts.set(id, found)
    return found
  }

  /**
   * The accounts in whose name objects are created, by username on the source. The source says who has written something, and
   * anyone can run one. So only an administrator can vouch for others; those who are none import in their own name.
   */
  async authors(
    importer: User,
    people: readonly (SourcePerson | null | undefined)[],
  ): Promise<Map<string, number>> {
    const authors = new Map<string, number>()
    for (const person of people) {
      if (!person || authors.has(person.username)) continue
      const id = await this.accountOf(person)
      if (id !== undefined && (importer.is_admin || id === importer.id)) authors.set(person.username, id)
    }
    return authors
  }

  private async findAccount(id: number): Promise<number | undefined> {
    const email = await this.addressOf(id)
    return email ? accountWith(this.database, email) : undefined
  }

  private async addressOf(id: number): Promise<string | null | undefined> {
    try {
      const { email, confirmed_at, public_email } = readUser(await this.client.get(`/users/${id}`))
      return email && confirmed_at ? email : public_email
    } catch (error) {
      // Some servers show users to nobody but administrators.
      if (error instanceof UnavailableError || error instanceof SourceRecordError) return undefined
      throw error
    }
  }
}

/** ID of the user with this confirmed address, primary or not. */
async function accountWith(database: Database, email: string): Promise<number | undefined> {
  const primary = await database
    .selectFrom('user')
    .innerJoin('user_profile', 'user_profile.user_id', 'user.id')
    .select('user.id')
    .where(({ ref }) => sameText(ref('user.email'), email))
    .where('user_profile.confirmed_at', 'is not', null)
    .where('user.kind', '=', 'human')
    .executeTakeFirst()
  if (primary) return primary.id
  const secondary = await database
    .selectFrom('user_email')
    .innerJoin('user', 'user.id', 'user_email.user_id')
    .select('user.id')
    .where(({ ref }) => sameText(ref('user_email.email'), email))
    .where('user_email.confirmed_at', 'is not', null)
    .where('user.kind', '=', 'human')
    .executeTakeFirst()
  return secondary?.id
}
