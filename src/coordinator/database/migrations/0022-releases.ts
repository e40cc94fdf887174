import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Releases: tags with notes and links (API, J). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db

  await id(schema.createTable('release'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('tag', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('sha', 'text', (c) => c.notNull())
    .addColumn('author_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('released_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('release_once', ['project_id', 'tag'])
    .execute()
  await schema
    .createIndex('release_by_released_at')
    .on('release')
    .columns(['project_id', 'released_at'])
    .execute()

  await id(schema.createTable('release_link'))
    .addColumn('release_id', 'bigint', (c) => c.notNull().references('release.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('filepath', 'text')
    .addColumn('link_type', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('release_link_name_once', ['release_id', 'name'])
    .addUniqueConstraint('release_link_url_once', ['release_id', 'url'])
    .addUniqueConstraint('release_link_filepath_once', ['release_id', 'filepath'])
    .execute()
}
