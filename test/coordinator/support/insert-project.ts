import type { Insertable } from 'kysely'

import type { Database } from '../../../src/coordinator/database/connect.js'
import type { Tables } from '../../../src/coordinator/database/tables/database-tables.js'

type ProjectValues = Pick<Insertable<Tables['project']>, 'namespace_id' | 'creator_id' | 'full_path'> &
  Partial<Insertable<Tables['project']>>

/** Inserts a project, by default a private one with the last part of its path as name, without a repository. */
export function insertProject(database: Database, values: ProjectValues): Promise<{ id: number }> {
  const name = values.full_path.slice(values.full_path.lastIndexOf('/') + 1)
  const now = Date.now()
  return database
    .insertInto('project')
    .values({
      name,
      path: name,
      visibility: 'private',
      runners_token_digest: values.full_path,
      runners_token_encrypted: '',
      created_at: now,
      updated_at: now,
      last_activity_at: now,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}
