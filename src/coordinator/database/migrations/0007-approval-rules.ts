import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { type ColumnTypes, columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Approval rules of projects and merge requests, and what the code owners of merge requests were found to be. */
const approvalRules = ({ id }: ColumnTypes): string => `
alter table project add column disable_overriding_approvers_per_merge_request boolean not null default false;
alter table protected_ref add column code_owner_approval_required boolean not null default false;

create table approval_rule (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  merge_request_id bigint references merge_request (id) on delete cascade,
  source_rule_id bigint references approval_rule (id) on delete cascade,
  name text not null,
  rule_type text not null,
  approvals_required integer not null default 0,
  applies_to_all_protected_branches boolean not null default false,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index approval_rule_name_in_project on approval_rule (project_id, name)
  where merge_request_id is null;
create unique index approval_rule_any_in_project on approval_rule (project_id)
  where merge_request_id is null and rule_type = 'any_approver';
create unique index approval_rule_name_in_merge_request on approval_rule (merge_request_id, name)
  where merge_request_id is not null;
create unique index approval_rule_any_in_merge_request on approval_rule (merge_request_id)
  where merge_request_id is not null and rule_type = 'any_approver';
create unique index approval_rule_override_once on approval_rule (source_rule_id, merge_request_id)
  where source_rule_id is not null;
create index approval_rule_of_project on approval_rule (project_id, merge_request_id, id);
create index approval_rule_of_merge_request on approval_rule (merge_request_id, id);

create table approval_rule_user (
  approval_rule_id bigint not null references approval_rule (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  constraint approval_rule_user_once primary key (approval_rule_id, user_id)
);
create index approval_rule_user_by_user on approval_rule_user (user_id, approval_rule_id);

create table approval_rule_group (
  approval_rule_id bigint not null references approval_rule (id) on delete cascade,
  group_id bigint not null references namespace (id) on delete cascade,
  constraint approval_rule_group_once primary key (approval_rule_id, group_id)
);
create index approval_rule_group_by_group on approval_rule_group (group_id, approval_rule_id);

create table approval_rule_branch (
  approval_rule_id bigint not null references approval_rule (id) on delete cascade,
  protected_ref_id bigint not null references protected_ref (id) on delete cascade,
  constraint approval_rule_branch_once primary key (approval_rule_id, protected_ref_id)
);
create index approval_rule_branch_by_branch on approval_rule_branch (protected_ref_id, approval_rule_id);

create table merge_request_code_owners (
  merge_request_id bigint primary key references merge_request (id) on delete cascade,
  head_sha text not null,
  target_sha text not null,
  target_branch text not null,
  base_sha text not null,
  file_path text,
  is_complete boolean not null,
  owned text not null,
  problems text not null
);
`

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await executeStatements(db, approvalRules(columnTypes(dialect)))
}
