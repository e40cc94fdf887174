import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/**
 * CI variables of groups and of the instance, and variables that jobs export to others (CI language, 8.1).
 */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db

  // SQLite cannot drop the `not null` of a column, so the table is recreated.
  await schema.alterTable('ci_variable').renameTo('ci_variable_of_project').execute()
  await id(schema.createTable('ci_variable'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value_encrypted', 'text', (c) => c.notNull())
    .addColumn('variable_type', 'text', (c) => c.notNull())
    .addColumn('protected', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('masked', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('hidden', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('raw', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('environment_scope', 'text', (c) => c.notNull().defaultTo('*'))
    .addColumn('description', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  const kept = sql.raw(
    'project_id, key, value_encrypted, variable_type, protected, masked, raw, environment_scope, description, created_at, updated_at',
  )
  await sql`insert into ci_variable (${kept}) select ${kept} from ci_variable_of_project order by id`.execute(
    db,
  )
  await schema.dropTable('ci_variable_of_project').execute()
  // Null values are distinct in a unique index, so each kind of owner has its own index.
  await uniqueVariable('ci_variable_of_project_once', ['project_id', 'key', 'environment_scope'])
  await uniqueVariable('ci_variable_of_group_once', ['namespace_id', 'key', 'environment_scope'])
  await sql`create unique index ci_variable_of_instance_once on ci_variable (key) where project_id is null and namespace_id is null`.execute(
    db,
  )

  await schema
    .alterTable('job_variable')
    .addColumn('source', 'text', (c) => c.notNull().defaultTo('played'))
    .execute()

  await schema
    .alterTable('project')
    .addColumn('restrict_user_defined_variables', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()

  function uniqueVariable(name: string, columns: string[]): Promise<void> {
    return schema.createIndex(name).on('ci_variable').columns(columns).unique().execute()
  }
}
