import { isPassword, UNMATCHED_HASH } from '../../../lib/password-hash.js'
import { MINUTE } from '../../../lib/time-units.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { sameText } from '../../database/text.js'
import { subjectOfAddress } from '../rate-limits/address-subject.js'
import { FailedAttempts } from '../rate-limits/failed-attempts.js'
import {
  PASSWORDS_FROM_ADDRESS,
  PASSWORDS_OF_ACCOUNT,
  type SharedCounts,
  subjectOfAccount,
  subjectOfAccountAt,
} from '../rate-limits/shared-counts.js'

/** How long failed passwords of an account count. */
const WINDOW = 10 * MINUTE

/** Where a password comes from. */
export interface PasswordSource {
  /** IP address of the client; undefined if it is not known. */
  address?: string | undefined
  /** Called for a wrong password of an existing account. */
  onWrong?: ((user: User) => Promise<void>) | undefined
}

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

  /** The user with this name or primary address, if the password is theirs; undefined otherwise. */
  async userOf(
    nameOrEmail: string,
    password: string,
    { address, onWrong }: PasswordSource = {},
  ): Promise<User | undefined> {
    if (nameOrEmail === '' || password === '') return undefined
    const found = await this.find(nameOrEmail)
    if (!found || (await this.isClosedTo(found.user, address))) return refuse(password)
    const { user, hash } = found
    const subject = subjectOfAccountAt(user.id, address)
    this.failures.begin(subject)
    if (await isPassword(password, hash)) {
      await this.failures.reset(subject)
      return user
    }
    await this.failures.fail(subject)
    await this.recordFailureOf(user)
    await onWrong?.(user)
    return undefined
  }

  private async isClosedTo({ id }: User, address: string | undefined): Promise<boolean> {
    if (this.failures.of(subjectOfAccountAt(id, address)).observed >= PASSWORDS_FROM_ADDRESS) return true
    if (this.failures.of(subjectOfAccount(id)).observed < PASSWORDS_OF_ACCOUNT) return false
    return address === undefined || !(await this.hasSignedInFrom(id, address))
  }

  /** A correct password does not end this count: git sends one with each request of the owner. */
  private async recordFailureOf({ id }: User): Promise<void> {
    const subject = subjectOfAccount(id)
    this.failures.begin(subject)
    await this.failures.fail(subject)
  }

  /** Whether the address is one of the last two. */
  private async hasSignedInFrom(userId: number, address: string): Promise<boolean> {
    const row = await this.database
      .selectFrom('user_profile')
      .select(['current_sign_in_ip', 'last_sign_in_ip'])
      .where('user_id', '=', userId)
      .executeTakeFirst()
    const known = [row?.current_sign_in_ip, row?.last_sign_in_ip]
    return known.some((each) => each && subjectOfAddress(each) === subjectOfAddress(address))
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
