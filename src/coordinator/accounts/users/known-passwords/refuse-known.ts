import type { Database } from '../../../database/connect.js'
import { invalidRecord } from '../../../http/errors.js'
import { isCommonPassword } from './common-passwords.js'
import type { PasswordList } from './password-list.js'

const lists = new WeakMap<Database, PasswordList>()

/** Makes accounts of this database refuse the passwords of the list, too. */
export function usePasswordList(database: Database, list: PasswordList): void {
  lists.set(database, list)
}

/**
 * Throws 400 for a new password that attackers try first: one of the most common ones, or one of the list of the settings.
 * Passwords that users have already are not checked.
 */
export async function refuseKnownPassword(database: Database, password: string): Promise<void> {
  if (!isCommonPassword(password) && !(await lists.get(database)?.has(password))) return
  throw invalidRecord({ password: ['is common or has been leaked: choose another one'] })
}
