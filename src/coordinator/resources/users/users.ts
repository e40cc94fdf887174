import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { conflict, invalidRecord, notFound } from '../../http/errors.js'
import type { User } from '../../http/operation.js'
import { problemOfPathName } from '../../path-name.js'
import type { CreateUser } from './schema.js'
import { findUser, insertUser, isEmailTaken, isPathTaken } from './store.js'

const EMAIL = /^[^@\s]+@[^@\s]+$/

/** Throws 400 for a name or address that cannot be one, 409 for one that is taken. */
export async function createUser(
  database: Database,
  { username, name, email, admin }: Pick<CreateUser, 'username' | 'name' | 'email' | 'admin'>,
): Promise<User> {
  const problem = problemOfPathName(username, 'top')
  if (problem) throw invalidRecord({ username: [problem] })
  if (!EMAIL.test(email)) throw invalidRecord({ email: ['is invalid'] })
  return inTransaction(database, async (tx) => {
    if (await isEmailTaken(tx, email)) throw conflict('Email has already been taken')
    if (await isPathTaken(tx, username)) throw conflict('Username has already been taken')
    return insertUser(tx, { username, name, email, is_admin: admin ?? false })
  })
}

export async function existingUser(database: Database, id: number): Promise<User> {
  const user = await findUser(database, id)
  if (!user) throw notFound('User')
  return user
}
