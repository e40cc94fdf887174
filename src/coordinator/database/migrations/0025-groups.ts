import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { type ColumnKinds, columnKinds } from './column-kinds.js'

/** Group members, shares with groups, and group settings (API, A15, C3, D). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const kinds = columnKinds(dialect)
  await addTree(db)
  await makeMembersAnew(db, kinds)
  await addShares(db, kinds)
  await addAccessRequests(db, kinds)
  await addInvitations(db, kinds)
  await addSettings(db)
}

/**
 * Pairs of a group and its ancestors, including itself. Recursive queries instead would mislead the planner
 * of PostgreSQL.
 */
async function addTree(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('group_tree')
    .addColumn('group_id', 'bigint', (c) => c.notNull().references('namespace.id').onDelete('cascade'))
    .addColumn('ancestor_id', 'bigint', (c) => c.notNull().references('namespace.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('group_tree_once', ['group_id', 'ancestor_id'])
    .execute()
  await db.schema
    .createIndex('group_tree_by_ancestor_id')
    .on('group_tree')
    .columns(['ancestor_id', 'group_id'])
    .execute()
  await sql`
    insert into group_tree (group_id, ancestor_id)
    with recursive above(group_id, ancestor_id) as (
      select id, id from namespace where kind = 'group'
      union all
      select above.group_id, namespace.parent_id from above
        join namespace on namespace.id = above.ancestor_id where namespace.parent_id is not null)
    select group_id, ancestor_id from above`.execute(db)
}

/** SQLite cannot drop the `not null` of a column, so the table is recreated. */
async function makeMembersAnew(db: Kysely<unknown>, { id }: ColumnKinds): Promise<void> {
  const { schema } = db
  await schema.alterTable('member').renameTo('member_of_project').execute()
  await id(schema.createTable('member'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('access_level', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('member_of_one', oneOfTwo('project_id', 'group_id'))
    .execute()
  const kept = sql.raw('project_id, user_id, access_level, expires_at, created_at')
  await sql`insert into member (${kept}) select ${kept} from member_of_project order by id`.execute(db)
  await schema.dropTable('member_of_project').execute()
  await uniqueIndex(db, 'member', 'project_id', 'user_id')
  await uniqueIndex(db, 'member', 'group_id', 'user_id')
  await index(db, 'member', 'user_id')
  await index(db, 'member', 'created_by_id')
  await index(db, 'member', 'expires_at')
  // So far `owner_id` of a group named its creator as the owner; from now on only personal namespaces use the
  // column.
  await sql`
    insert into member (group_id, user_id, access_level, created_at)
    select id, owner_id, 50, created_at from namespace where kind = 'group' and owner_id is not null order by id`.execute(
    db,
  )
  await sql`update namespace set owner_id = null where kind = 'group'`.execute(db)
}

async function addShares(db: Kysely<unknown>, { id }: ColumnKinds): Promise<void> {
  await id(db.schema.createTable('share'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('with_group_id', 'bigint', (c) => c.notNull().references('namespace.id').onDelete('cascade'))
    .addColumn('group_access', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('share_of_one', oneOfTwo('project_id', 'group_id'))
    .execute()
  await uniqueIndex(db, 'share', 'project_id', 'with_group_id')
  await uniqueIndex(db, 'share', 'group_id', 'with_group_id')
  await index(db, 'share', 'with_group_id')
}

async function addAccessRequests(db: Kysely<unknown>, { id }: ColumnKinds): Promise<void> {
  await id(db.schema.createTable('access_request'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('requested_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('access_request_of_one', oneOfTwo('project_id', 'group_id'))
    .execute()
  await uniqueIndex(db, 'access_request', 'project_id', 'user_id')
  await uniqueIndex(db, 'access_request', 'group_id', 'user_id')
  await index(db, 'access_request', 'user_id')
}

async function addInvitations(db: Kysely<unknown>, { id }: ColumnKinds): Promise<void> {
  await id(db.schema.createTable('invitation'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('access_level', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('invitation_of_one', oneOfTwo('project_id', 'group_id'))
    .execute()
  for (const owner of ['project_id', 'group_id']) {
    await sql`create unique index ${sql.id(`invitation_${owner}_once`)} on invitation (${sql.ref(owner)}, lower(email))`.execute(
      db,
    )
  }
  await sql`create index invitation_by_email on invitation (lower(email))`.execute(db)
  await index(db, 'invitation', 'created_by_id')
}

async function addSettings({ schema }: Kysely<unknown>): Promise<void> {
  const table = () => schema.alterTable('namespace')
  await table().addColumn('description', 'text').execute()
  await table().addColumn('avatar', 'text').execute()
  await table()
    .addColumn('share_with_group_lock', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await table()
    .addColumn('membership_lock', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await table()
    .addColumn('request_access_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()
  await table()
    .addColumn('require_two_factor_authentication', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await table()
    .addColumn('two_factor_grace_period', 'integer', (c) => c.notNull().defaultTo(48))
    .execute()
  // Defaults of existing groups, equal to what records showed before.
  await table()
    .addColumn('project_creation_level', 'text', (c) => c.notNull().defaultTo('maintainer'))
    .execute()
  await table()
    .addColumn('subgroup_creation_level', 'text', (c) => c.notNull().defaultTo('owner'))
    .execute()
  await table().addColumn('auto_devops_enabled', 'boolean').execute()
  await table().addColumn('emails_disabled', 'boolean').execute()
  await table().addColumn('mentions_disabled', 'boolean').execute()
  await table()
    .addColumn('lfs_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()
  await table()
    .addColumn('default_branch_protection', 'integer', (c) => c.notNull().defaultTo(2))
    .execute()
  await table().addColumn('default_branch', 'text').execute()
  await table()
    .addColumn('prevent_forking_outside_group', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await table().addColumn('file_template_project_id', 'bigint').execute()
  await table().addColumn('shared_runners_minutes_limit', 'integer').execute()
  await table().addColumn('extra_shared_runners_minutes_limit', 'integer').execute()
  await table().addColumn('runners_token_encrypted', 'text').execute()
  await schema.createIndex('namespace_by_parent_id').on('namespace').column('parent_id').execute()
  await schema.createIndex('namespace_by_name').on('namespace').columns(['kind', 'name', 'id']).execute()
}

function oneOfTwo(one: string, other: string) {
  return sql`(${sql.ref(one)} is null) <> (${sql.ref(other)} is null)`
}

async function uniqueIndex(db: Kysely<unknown>, table: string, owner: string, column: string): Promise<void> {
  await db.schema.createIndex(`${table}_${owner}_once`).on(table).columns([owner, column]).unique().execute()
}

async function index(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute()
}
