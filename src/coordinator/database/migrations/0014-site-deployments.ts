import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Sites that jobs have published. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnTypes(dialect)
  await executeStatements(
    db,
    `
create table site_deployment (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  job_id bigint references job (id) on delete set null,
  state text not null,
  path_prefix text not null,
  root text not null,
  expire_in text,
  problem text,
  blob_key text not null,
  size bigint not null,
  sha256 text not null,
  created_at bigint not null,
  expires_at bigint
);
create index site_deployment_of_project on site_deployment (project_id, path_prefix);
create index site_deployment_of_job on site_deployment (job_id);
create index site_deployment_requested on site_deployment (id) where state = 'requested';
create index site_deployment_by_expiry on site_deployment (expires_at) where expires_at is not null;
`,
  )
}
