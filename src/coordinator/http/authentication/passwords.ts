import { isPassword, UNMATCHED_HASH } from '../../../lib/password-hash.js'
import { MINUTE } from '../../../lib/time-units.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { sameText } from '../../database/text.js'
import { FailedAttempts } from '../rate-limits/failed-attempts.js'
import { PASSWORDS_OF_ACCOUNT, type SharedCounts, subjectOfAccount } from '../rate-limits/shared-counts.js'

/** How long failed passwords of an account count. */
const WINDOW = 10 * MINUTE

/** Verifies passwords and limits the number of wrong attempts (API, B). */
export class Passwords {
  private readonly failures: FailedAttempts

  constructor(
    private readonly database: Database,
    now: () => number = Date.now,
    shared?: SharedCounts,
  ) {
    this.failures = new FailedAttempts(WINDOW, now, shared)
  }

  /**
   * The user with this name or primary address, if the password is theirs; undefined otherwise. `onWrong` is
   * called for a wrong password of an existing account.
   */
  async userOf(
    nameOrEmail: string,
    password: string,
    onWrong?: (user: User) => Promise<void>,
  ): Promise<User | undefined> {
    if (nameOrEmail === '' || password === '') return undefined
    const found = await this.find(nameOrEmail)
    if (!found || this.isLocked(found.user)) return refuse(password)
    const { user, hash } = found
    const subject = subjectOfAccount(user.id)
    this.failures.begin(subject)
    if (await isPassword(password, hash)) {
      await this.failures.reset(subject)
      return user
    }
    await this.failures.fail(subject)
    await onWrong?.(user)
    return undefined
  }

  private isLocked({ id }: User): boolean {
    return this.failures.of(subjectOfAccount(id)).observed >= PASSWORDS_OF_ACCOUNT
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
}

/**
 * Does the same work as a check, so that the response time does not reveal which accounts exist or are
 * locked.
 */
async function refuse(password: string): Promise<undefined> {
  await isPassword(password, UNMATCHED_HASH)
  return undefined
}
