import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Project settings, forks, stars, topics, uploads, badges and statistics (API, C). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await addSettings(db)
  await addImports(db, dialect)
  await addRelations(db)
  await addFiles(db, dialect)
  await addBadges(db, dialect)
  await addStatistics(db)
  await addOrders(db)
}

const FEATURES = {
  repository: 'enabled',
  builds: 'enabled',
  forking: 'enabled',
  releases: 'enabled',
  environments: 'enabled',
  issues: 'enabled',
  merge_requests: 'enabled',
  wiki: 'enabled',
  snippets: 'enabled',
  operations: 'enabled',
  analytics: 'enabled',
  pages: 'disabled',
  container_registry: 'disabled',
}

const SWITCHES = {
  resolve_outdated_diff_discussions: false,
  lfs_enabled: false,
  request_access_enabled: true,
  only_allow_merge_if_pipeline_succeeds: false,
  only_allow_merge_if_all_discussions_are_resolved: false,
  allow_merge_on_skipped_pipeline: false,
  remove_source_branch_after_merge: true,
  autoclose_referenced_issues: true,
  printing_merge_request_link_enabled: true,
  auto_devops_enabled: false,
  emails_disabled: false,
}

const WORDS = {
  merge_method: 'merge',
  squash_option: 'default_off',
  build_git_strategy: 'fetch',
  auto_devops_deploy_strategy: 'continuous',
  import_status: 'none',
}

const TEXTS = [
  'build_coverage_regex',
  'suggestion_commit_message',
  'merge_commit_template',
  'squash_commit_template',
  'import_error',
  'import_type',
  'avatar_name',
  'avatar_key',
]

async function addSettings({ schema }: Kysely<unknown>): Promise<void> {
  const project = () => schema.alterTable('project')
  for (const [name, level] of Object.entries(FEATURES)) {
    await project()
      .addColumn(`${name}_access_level`, 'text', (c) => c.notNull().defaultTo(level))
      .execute()
  }
  for (const [name, value] of Object.entries(SWITCHES)) {
    await project()
      .addColumn(name, 'boolean', (c) => c.notNull().defaultTo(value))
      .execute()
  }
  for (const [name, value] of Object.entries(WORDS)) {
    await project()
      .addColumn(name, 'text', (c) => c.notNull().defaultTo(value))
      .execute()
  }
  for (const name of TEXTS) await project().addColumn(name, 'text').execute()
  await project()
    .addColumn('approvals_before_merge', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await project().addColumn('max_artifacts_size', 'integer').execute()
  await project()
    .addColumn('forked_from_id', 'bigint', (c) => c.references('project.id').onDelete('set null'))
    .execute()
  await schema.createIndex('project_by_forked_from').on('project').column('forked_from_id').execute()
}

/** Repositories to be filled, and deleted projects whose files remain. */
async function addImports({ schema }: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(schema.createTable('project_import'))
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().unique().references('project.id').onDelete('cascade'),
    )
    // No reference: if the source is deleted, this is reported as the reason of the failure.
    .addColumn('source_project_id', 'bigint')
    .addColumn('source_url_encrypted', 'text')
    .addColumn('branch', 'text')
    .addColumn('user_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  // No reference: the rows describe deleted projects.
  await schema
    .createTable('removed_project')
    .addColumn('project_id', 'bigint', (c) => c.primaryKey())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}

async function addRelations(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('project_topic')
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_topic_once', ['project_id', 'name'])
    .execute()
  await sql`create index project_topic_by_name on project_topic (lower(name))`.execute(db)
  await schema
    .createTable('project_star')
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_star_once', ['user_id', 'project_id'])
    .execute()
  await schema.createIndex('project_star_by_project').on('project_star').column('project_id').execute()
}

async function addFiles({ schema }: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(schema.createTable('project_upload'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('uploader_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('secret', 'text', (c) => c.notNull().unique())
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('project_upload_by_project').on('project_upload').column('project_id').execute()
}

async function addBadges({ schema }: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(schema.createTable('badge'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('name', 'text')
    .addColumn('link_url', 'text', (c) => c.notNull())
    .addColumn('image_url', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('badge_by_project').on('badge').column('project_id').execute()
  await schema.createIndex('badge_by_group').on('badge').column('group_id').execute()

  await id(schema.createTable('custom_attribute'))
    .addColumn('user_id', 'bigint', (c) => c.references('user.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addUniqueConstraint('custom_attribute_of_user', ['user_id', 'key'])
    .addUniqueConstraint('custom_attribute_of_group', ['group_id', 'key'])
    .addUniqueConstraint('custom_attribute_of_project', ['project_id', 'key'])
    .execute()
  await schema
    .createIndex('custom_attribute_by_value')
    .on('custom_attribute')
    .columns(['key', 'value'])
    .execute()
}

/** Repository statistics computed by git, with the commit they belong to. */
async function addStatistics({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('project_measure')
    .addColumn('project_id', 'bigint', (c) => c.primaryKey().references('project.id').onDelete('cascade'))
    .addColumn('head_sha', 'text')
    .addColumn('commit_count', 'integer', (c) => c.notNull())
    .addColumn('repository_size', 'bigint', (c) => c.notNull())
    .addColumn('readme_path', 'text')
    .addColumn('license_path', 'text')
    .addColumn('license_key', 'text')
    .addColumn('measured_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createTable('project_language')
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_language_once', ['project_id', 'name'])
    .execute()
}

/** Indexes in the order of project lists; each includes the visibility of the project. */
async function addOrders({ schema }: Kysely<unknown>): Promise<void> {
  for (const column of ['created_at', 'updated_at', 'last_activity_at', 'name', 'path']) {
    await schema
      .createIndex(`project_in_order_of_${column}`)
      .on('project')
      .columns([column, 'id', 'visibility'])
      .execute()
  }
}
