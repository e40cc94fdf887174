import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Services outside that check merge requests, and what they say. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnTypes(dialect)
  await executeStatements(
    db,
    `
create table external_status_check (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  name text not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint external_status_check_of_project unique (project_id, name)
);

-- Without a row, a check is for all target branches.
create table external_status_check_branch (
  status_check_id bigint not null references external_status_check (id) on delete cascade,
  protected_ref_id bigint not null references protected_ref (id) on delete cascade,
  constraint external_status_check_branch_once primary key (status_check_id, protected_ref_id)
);
create index external_status_check_branch_by_ref on external_status_check_branch (protected_ref_id);

create table external_status_check_response (
  id ${id},
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  status_check_id bigint not null references external_status_check (id) on delete cascade,
  sha text not null,
  status text not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint external_status_check_response_once unique (merge_request_id, status_check_id)
);
create index external_status_check_response_by_check on external_status_check_response (status_check_id);

alter table web_hook add column status_check_id bigint references external_status_check (id) on delete cascade;
create index web_hook_of_status_check on web_hook (status_check_id) where status_check_id is not null;

alter table project add column only_allow_merge_if_all_status_checks_passed boolean not null default false;
`,
  )
}
