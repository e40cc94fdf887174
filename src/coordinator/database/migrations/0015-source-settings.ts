import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/**
 * Inputs of pipeline schedules, and the minimum role to set pipeline variables (CI language, 5.2 and 9.2).
 */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { json } = columnKinds(dialect)
  const { schema } = db
  await schema
    .alterTable('pipeline_schedule')
    .addColumn('inputs', json, (c) => c.notNull().defaultTo('{}'))
    .execute()
  await schema
    .alterTable('project')
    .addColumn('pipeline_variables_minimum_override_role', 'text', (c) => c.notNull().defaultTo('maintainer'))
    .execute()
}
