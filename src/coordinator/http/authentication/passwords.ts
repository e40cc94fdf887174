import { isPassword } from '../../../lib/password-hash.js'
import type { Database } from '../../database/connect.js'
import { sameText } from '../../database/text.js'
import type { User } from '../operation.js'

/** After so many wrong passwords an account takes none for a while, the right one neither. */
const ATTEMPTS = 10
const CLOSED_FOR = 10 * 60_000
/** Accounts remembered. */
const MAXIMUM_REMEMBERED = 10_000

interface Failures {
  count: number
  /** Of the first of them. */
  since: number
}

/** Tells whose password it is, and how often wrong ones may be tried (API gaps, part B). */
export class Passwords {
  private readonly failures = new Map<number, Failures>()

  constructor(
    private readonly database: Database,
    private readonly now: () => number = Date.now,
  ) {}

  /** The user with this name or primary address, if it is their password; undefined in every other case. */
  async userOf(nameOrEmail: string, password: string): Promise<User | undefined> {
    if (nameOrEmail === '' || password === '') return undefined
    const found = await this.find(nameOrEmail)
    if (!found || this.isClosed(found.user.id)) return undefined
    // Counted first: of many tries at once none is free.
    this.count(found.user.id)
    if (!(await isPassword(password, found.hash))) return undefined
    this.failures.delete(found.user.id)
    return found.user
  }

  private async find(nameOrEmail: string): Promise<{ user: User; hash: string } | undefined> {
    const row = await this.database
      .selectFrom('user')
      .innerJoin('user_password', 'user_password.user_id', 'user.id')
      .selectAll('user')
      .select('user_password.hash')
      .where(({ or, ref }) =>
        or([sameText(ref('user.username'), nameOrEmail), sameText(ref('user.email'), nameOrEmail)]),
      )
      .executeTakeFirst()
    if (!row) return undefined
    const { hash, ...user } = row
    return { user, hash }
  }

  private isClosed(userId: number): boolean {
    const failures = this.failures.get(userId)
    if (failures && this.now() - failures.since >= CLOSED_FOR) this.failures.delete(userId)
    return (this.failures.get(userId)?.count ?? 0) >= ATTEMPTS
  }

  private count(userId: number): void {
    const before = this.failures.get(userId)
    if (!before && this.failures.size >= MAXIMUM_REMEMBERED) this.failures.clear()
    this.failures.set(userId, { count: (before?.count ?? 0) + 1, since: before?.since ?? this.now() })
  }
}
