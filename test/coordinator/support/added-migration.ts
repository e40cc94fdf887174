import type { Kysely } from 'kysely'

import { migrations } from '../../../src/coordinator/database/migrations/index.js'
import { onFinished } from '../../support/lifetime.js'

/** Adds a migration for the running test, as the next release would. */
export function addMigration(name: string, up: (db: Kysely<unknown>) => Promise<void>): void {
  migrations[name] = { up }
  onFinished(() => Reflect.deleteProperty(migrations, name))
}
