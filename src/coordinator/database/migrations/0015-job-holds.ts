import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Ended jobs whose runners keep their containers for people who look at them, and the shells in these. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { json } = columnTypes(dialect)
  await executeStatements(
    db,
    `
create table job_hold (
  job_id bigint primary key references job (id) on delete cascade,
  token_digest text not null,
  place text not null,
  has_terminal boolean not null,
  since bigint not null,
  until bigint not null,
  latest bigint not null,
  revision integer not null default 1,
  ended_at bigint,
  end_reason text
);
create table job_terminal (
  key text primary key,
  job_id bigint not null references job (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  ticket_digest text not null,
  command ${json} not null,
  columns integer not null,
  rows integer not null,
  created_at bigint not null,
  opened_at bigint,
  joined_at bigint,
  ended_at bigint
);
create index job_terminal_by_job on job_terminal (job_id);
create index job_terminal_by_user on job_terminal (user_id);
`,
  )
}
