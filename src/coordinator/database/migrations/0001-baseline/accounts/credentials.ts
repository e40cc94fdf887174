import type { ColumnTypes } from '../../column-types.js'

/** What users sign in with: passwords, identities, tokens and keys. */
export const credentials = ({ id, json }: ColumnTypes): string => `
create table user_password (
  user_id bigint primary key references "user" (id) on delete cascade,
  hash text not null,
  changed_at bigint not null
);

create table user_identity (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  provider text not null,
  extern_uid text not null,
  saml_provider_id bigint,
  constraint user_identity_of_provider_once unique (provider, extern_uid),
  constraint user_identity_once unique (user_id, provider)
);

create table personal_access_token (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  name text not null,
  description text,
  digest text not null unique,
  scopes ${json} not null,
  impersonation boolean not null default false,
  revoked boolean not null default false,
  reminded boolean not null default false,
  expires_at bigint,
  last_used_at bigint,
  created_at bigint not null
);
create index personal_access_token_list on personal_access_token (
  user_id, id, impersonation, revoked, expires_at
);

create table ssh_key (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  title text not null,
  key text not null,
  fingerprint text not null,
  fingerprint_sha256 text not null unique,
  usage_type text not null,
  expires_at bigint,
  last_used_at bigint,
  reminded boolean not null default false,
  created_at bigint not null
);
create index ssh_key_by_user_id on ssh_key (user_id);
create index ssh_key_by_fingerprint on ssh_key (fingerprint);

create table gpg_key (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  key text not null,
  fingerprint text not null unique,
  created_at bigint not null
);
create index gpg_key_by_user_id on gpg_key (user_id);

-- Browsers that are signed in.
create table web_session (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  token_digest text not null unique,
  personal_token_id bigint references personal_access_token (id) on delete cascade,
  idle_timeout bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null,
  confirmed_at bigint,
  address text not null,
  user_agent text,
  created_at bigint not null
);
create index web_session_of_user on web_session (user_id);
create index web_session_of_token on web_session (personal_token_id);

-- Links that sign a user in, once.
create table sign_in_link (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  digest text not null unique,
  personal_token_id bigint references personal_access_token (id) on delete cascade,
  is_by_administrator boolean not null,
  expires_at bigint not null,
  created_at bigint not null
);
create index sign_in_link_of_user on sign_in_link (user_id);
create index sign_in_link_of_token on sign_in_link (personal_token_id);

-- Links in mails that confirm an address or set a password.
create table account_link (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  kind text not null,
  email text not null,
  digest text not null unique,
  expires_at bigint not null,
  created_at bigint not null
);
create index account_link_of_user on account_link (user_id, kind);
create index account_link_end on account_link (expires_at);

-- Failed sign-in attempts, counted over all coordinators by client and by account.
create table failed_attempt (
  subject text not null,
  reset_at bigint not null,
  count bigint not null,
  constraint failed_attempt_pkey primary key (subject, reset_at)
);
create index failed_attempt_by_reset_at on failed_attempt (reset_at);
`
