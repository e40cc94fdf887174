import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** User profiles, credentials and keys (API, A13 and H). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await extendUser(db)
  await createProfile(db)
  await createBelongings(db, dialect)
  await createKeys(db, dialect)
  await extendTokens(db)
  await createRemovals(db)
}

/** The user row is read by every request; it has the columns for access checks and the public fields. */
async function extendUser({ schema }: Kysely<unknown>): Promise<void> {
  const user = () => schema.alterTable('user')
  await user()
    .addColumn('kind', 'text', (c) => c.notNull().defaultTo('human'))
    .execute()
  await user()
    .addColumn('external', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await user()
    .addColumn('can_create_group', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()
  await user()
    .addColumn('projects_limit', 'integer', (c) => c.notNull().defaultTo(100_000))
    .execute()
  await user().addColumn('avatar', 'text').execute()
}

async function createProfile(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('user_profile')
    .addColumn('user_id', 'bigint', (c) => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('bio', 'text')
    .addColumn('location', 'text')
    .addColumn('public_email', 'text')
    .addColumn('commit_email', 'text')
    .addColumn('skype', 'text')
    .addColumn('linkedin', 'text')
    .addColumn('twitter', 'text')
    .addColumn('discord', 'text')
    .addColumn('website_url', 'text')
    .addColumn('organization', 'text')
    .addColumn('job_title', 'text')
    .addColumn('pronouns', 'text')
    .addColumn('note', 'text')
    .addColumn('private_profile', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('theme_id', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('color_scheme_id', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('shared_runners_minutes_limit', 'integer')
    .addColumn('extra_shared_runners_minutes_limit', 'integer')
    .addColumn('view_diffs_file_by_file', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('show_whitespace_in_diffs', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('pass_user_identities_to_ci_jwt', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('avatar_key', 'text')
    .addColumn('confirmed_at', 'bigint')
    .addColumn('last_activity_at', 'bigint')
    .addColumn('created_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await index(db, 'user_profile', ['last_activity_at'])
  await index(db, 'user_profile', ['created_by_id'])
  await sql`insert into user_profile (user_id, confirmed_at, updated_at) select id, created_at, created_at from "user"`.execute(
    db,
  )
}

async function createBelongings(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db
  await schema
    .createTable('user_password')
    .addColumn('user_id', 'bigint', (c) => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .execute()

  await schema
    .createTable('user_status')
    .addColumn('user_id', 'bigint', (c) => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('emoji', 'text', (c) => c.notNull())
    .addColumn('message', 'text')
    .addColumn('availability', 'text', (c) => c.notNull())
    .addColumn('clear_at', 'bigint')
    .execute()

  await id(schema.createTable('user_identity'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('extern_uid', 'text', (c) => c.notNull())
    .addColumn('saml_provider_id', 'bigint')
    .addUniqueConstraint('user_identity_of_provider_once', ['provider', 'extern_uid'])
    .addUniqueConstraint('user_identity_once', ['user_id', 'provider'])
    .execute()

  await id(schema.createTable('user_email'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await sql`create unique index user_email_email_once on user_email (lower(email))`.execute(db)
  await index(db, 'user_email', ['user_id'])

  await schema
    .createTable('user_follow')
    .addColumn('follower_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('followed_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('user_follow_once', ['follower_id', 'followed_id'])
    .execute()
  await index(db, 'user_follow', ['followed_id'])
}

async function createKeys(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db
  await id(schema.createTable('ssh_key'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('fingerprint_sha256', 'text', (c) => c.notNull().unique())
    .addColumn('usage_type', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await index(db, 'ssh_key', ['user_id'])
  await index(db, 'ssh_key', ['fingerprint'])

  await id(schema.createTable('gpg_key'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await index(db, 'gpg_key', ['user_id'])
}

async function extendTokens(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const token = () => schema.alterTable('personal_access_token')
  await token()
    .addColumn('impersonation', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await token().addColumn('description', 'text').execute()
  await token().addColumn('last_used_at', 'bigint').execute()
  // `deleteBots` deletes a bot with its project or group; the reference alone would leave its account.
  await schema
    .createTable('bot_user')
    .addColumn('user_id', 'bigint', (c) => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('set null'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespace.id').onDelete('set null'))
    .execute()
  await index(db, 'bot_user', ['project_id'])
  await index(db, 'bot_user', ['namespace_id'])
}

/** Users whose deletion is not finished. */
async function createRemovals({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('user_removal')
    .addColumn('user_id', 'bigint', (c) => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('hard', 'boolean', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}

async function index({ schema }: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  await schema
    .createIndex(`${table}_by_${columns.join('_and_')}`)
    .on(table)
    .columns(columns)
    .execute()
}
