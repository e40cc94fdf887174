import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Topics with a description and an avatar, one for each name that projects use. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnTypes(dialect)
  await executeStatements(
    db,
    `
create table topic (
  id ${id},
  name text not null,
  title text not null,
  description text,
  is_curated boolean not null,
  avatar_name text,
  avatar_key text,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index topic_by_name on topic (lower(name));
insert into topic (name, title, is_curated, created_at, updated_at)
  select min(name), min(name), false, ${Date.now()}, ${Date.now()} from project_topic group by lower(name);
`,
  )
}
