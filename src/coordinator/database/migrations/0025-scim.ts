import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Accounts and groups that identity providers manage (SCIM). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnTypes(dialect)
  await executeStatements(
    db,
    `
-- The token with which an identity provider manages its accounts.
create table scim_token (
  provider text primary key,
  digest text not null unique,
  created_by_id bigint references "user" (id) on delete set null,
  created_at bigint not null,
  last_used_at bigint
);
create index scim_token_of_creator on scim_token (created_by_id) where created_by_id is not null;

-- What a provider says about an account that it manages.
create table scim_user (
  user_id bigint primary key references "user" (id) on delete cascade,
  provider text not null,
  user_name text not null,
  email text not null,
  display_name text,
  formatted_name text,
  given_name text,
  family_name text,
  active boolean not null,
  state_before_block text,
  has_group_changes boolean not null default false,
  deleted_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index scim_user_name on scim_user (provider, lower(user_name)) where deleted_at is null;
create index scim_user_with_changes on scim_user (user_id) where has_group_changes;

create table scim_group (
  id ${id},
  provider text not null,
  display_name text not null,
  external_id text,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index scim_group_name on scim_group (provider, lower(display_name));

create table scim_group_member (
  scim_group_id bigint not null references scim_group (id) on delete cascade,
  user_id bigint not null references scim_user (user_id) on delete cascade,
  primary key (scim_group_id, user_id)
);
create index scim_group_member_of_user on scim_group_member (user_id);
`,
  )
}
