import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import { isUniqueViolation } from '../../../database/unique-violation.js'
import { insertUser, isEmailTaken, isPathTaken } from '../store.js'

/**
 * ID of the ghost user, which owns contributions of deleted users; created on first use. Nothing runs in its
 * name.
 */
export async function ghostId(database: Database): Promise<number> {
  return (await findGhost(database)) ?? (await createGhost(database))
}

async function findGhost(database: Database): Promise<number | undefined> {
  const row = await database
    .selectFrom('user')
    .select('id')
    .where('kind', '=', 'ghost')
    .orderBy('id')
    .executeTakeFirst()
  return row?.id
}

async function createGhost(database: Database): Promise<number> {
  try {
    return await inTransaction(database, async (tx) => {
      const username = await freeName(tx)
      const ghost = await insertUser(tx, {
        username,
        name: 'Ghost User',
        email: `${username}@localhost`,
        is_admin: false,
        kind: 'ghost',
        state: 'blocked',
        can_create_group: false,
        projects_limit: 0,
      })
      return ghost.id
    })
  } catch (error) {
    // Another request may have created it in the meantime.
    const ghost = isUniqueViolation(error) ? await findGhost(database) : undefined
    if (ghost === undefined) throw error
    return ghost
  }
}

async function freeName(database: Database): Promise<string> {
  for (let number = 0; ; number++) {
    const name = `ghost${number || ''}`
    const isTaken = (await isPathTaken(database, name)) || (await isEmailTaken(database, `${name}@localhost`))
    if (!isTaken) return name
  }
}
