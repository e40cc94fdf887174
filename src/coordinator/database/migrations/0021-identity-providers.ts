import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { executeStatements } from './execute-statements.js'

/** Sign-in with identity providers. */
export async function up(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  await executeStatements(
    db,
    `
alter table web_session add column provider text;
alter table web_session add column provider_subject text;
alter table web_session add column provider_sid text;
create index web_session_of_subject on web_session (provider, provider_subject) where provider is not null;
create index web_session_of_sid on web_session (provider, provider_sid) where provider_sid is not null;

-- Values of identity providers that are valid once: the state of a sign-in, and the ID of a logout token.
create table used_sign_in_token (
  digest text primary key,
  expires_at bigint not null
);
create index used_sign_in_token_end on used_sign_in_token (expires_at);

-- Memberships that a provider has given, and takes away.
create table provider_membership (
  member_id bigint primary key references member (id) on delete cascade,
  provider text not null
);
`,
  )
}
