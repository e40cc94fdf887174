import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

const EVENTS = [
  'push',
  'tag_push',
  'issues',
  'confidential_issues',
  'merge_requests',
  'note',
  'confidential_note',
  'job',
  'pipeline',
  'wiki_page',
  'deployment',
  'releases',
  'feature_flag',
  'milestone',
  'emoji',
  'resource_access_token',
  'repository_update',
]

/** Webhooks, the outbox of their deliveries, and the delivery log (API, K). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await createHooks(db, dialect)
  await createOutbox(db, dialect)
  await createLog(db, dialect)
}

async function createHooks(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  let table = id(db.schema.createTable('web_hook'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('name', 'text')
    .addColumn('description', 'text')
    .addColumn('url_encrypted', 'text', (c) => c.notNull())
    .addColumn('token_encrypted', 'text')
    .addColumn('url_variables_encrypted', 'text')
    .addColumn('custom_headers_encrypted', 'text')
    .addColumn('custom_webhook_template', 'text')
    .addColumn('enable_ssl_verification', 'boolean', (c) => c.notNull())
    .addColumn('push_events_branch_filter', 'text')
    .addColumn('branch_filter_strategy', 'text', (c) => c.notNull())
    .addColumn('recent_failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('disabled_until', 'bigint')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
  for (const event of EVENTS) table = table.addColumn(`${event}_events`, 'boolean', (c) => c.notNull())
  await table.execute()
  await db.schema.createIndex('web_hook_by_project_id').on('web_hook').columns(['project_id', 'id']).execute()
}

async function createOutbox(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  const { schema } = db
  await id(schema.createTable('hook_event'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('uuid', 'text', (c) => c.notNull())
    .addColumn('trigger', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('facts', json, (c) => c.notNull())
    .addColumn('payload', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('hook_event_by_uuid').on('hook_event').column('uuid').execute()
  await schema.createIndex('hook_event_by_created_at').on('hook_event').column('created_at').execute()
  await schema.createIndex('hook_event_by_project_id').on('hook_event').column('project_id').execute()

  await id(schema.createTable('hook_delivery'))
    .addColumn('hook_id', 'bigint', (c) => c.notNull().references('web_hook.id').onDelete('cascade'))
    .addColumn('event_id', 'bigint', (c) => c.notNull().references('hook_event.id').onDelete('cascade'))
    .addColumn('idempotency_key', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createIndex('hook_delivery_in_order')
    .on('hook_delivery')
    .columns(['hook_id', 'due_at', 'id'])
    .execute()
  await schema.createIndex('hook_delivery_by_event_id').on('hook_delivery').column('event_id').execute()
}

async function createLog(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  const { schema } = db
  await id(schema.createTable('hook_log'))
    .addColumn('hook_id', 'bigint', (c) => c.notNull().references('web_hook.id').onDelete('cascade'))
    .addColumn('event_id', 'bigint', (c) => c.notNull().references('hook_event.id').onDelete('cascade'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('request_headers', json, (c) => c.notNull())
    .addColumn('response_headers', json, (c) => c.notNull())
    .addColumn('response_body', 'text')
    .addColumn('response_status', 'text', (c) => c.notNull())
    .addColumn('response_code', 'integer')
    .addColumn('execution_duration', 'double precision', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('hook_log_by_hook_id').on('hook_log').columns(['hook_id', 'id']).execute()
  await schema.createIndex('hook_log_by_event_id').on('hook_log').column('event_id').execute()
}
