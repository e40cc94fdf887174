import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { executeStatements } from './execute-statements.js'

/** Where shells of running jobs open, for runners that listen for the coordinator. */
export async function up(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  await executeStatements(
    db,
    `
create table runner_session (
  job_id bigint primary key references lease (job_id) on delete cascade,
  url text not null,
  certificate text not null,
  authorization_encrypted text not null
);
`,
  )
}
