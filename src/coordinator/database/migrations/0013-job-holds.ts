import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { executeStatements } from './execute-statements.js'

/** Ended jobs whose runners keep their containers for people who look at them. */
export async function up(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
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
`,
  )
}
