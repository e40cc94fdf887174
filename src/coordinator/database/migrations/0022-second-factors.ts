import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Second factors of users, and sign-ins that wait for one. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnTypes(dialect)
  await executeStatements(
    db,
    `
-- The secret that a user shares with an app that shows codes.
create table totp_factor (
  user_id bigint primary key references "user" (id) on delete cascade,
  secret_encrypted text not null,
  confirmed_at bigint,
  last_used_step bigint,
  created_at bigint not null
);

create table recovery_code (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  digest text not null
);
create unique index recovery_code_of_user on recovery_code (user_id, digest);

create table passkey (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  transports ${json} not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkey_of_user on passkey (user_id);

-- Challenges that a passkey has to sign, each once.
create table passkey_challenge (
  challenge text primary key,
  purpose text not null,
  expires_at bigint not null
);
create index passkey_challenge_end on passkey_challenge (expires_at);

-- Since when a user without a second factor needs one.
create table two_factor_demand (
  user_id bigint primary key references "user" (id) on delete cascade,
  since bigint not null
);

-- Sign-ins that wait for the second factor.
create table pending_sign_in (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  digest text not null unique,
  facts ${json} not null,
  return_to text,
  expires_at bigint not null,
  created_at bigint not null
);
create index pending_sign_in_of_user on pending_sign_in (user_id);

alter table web_session add column factor text;
alter table web_session add column enrol_by bigint;
`,
  )
}
