import type { ColumnTypes } from '../../column-types.js'

/** Users and what belongs to their accounts. */
export const users = ({ id }: ColumnTypes): string => `
-- Read by every request: it has the columns for access checks and the public fields.
create table "user" (
  id ${id},
  username text not null,
  name text not null,
  email text not null,
  kind text not null default 'human',
  state text not null,
  is_admin boolean not null,
  external boolean not null default false,
  can_create_group boolean not null default true,
  projects_limit integer not null default 100000,
  avatar text,
  created_at bigint not null
);
create unique index user_username_once on "user" (lower(username));
create unique index user_email_once on "user" (lower(email));
create index user_by_state on "user" (state, id, kind);
create index user_by_name on "user" (name, id);

create table user_profile (
  user_id bigint primary key references "user" (id) on delete cascade,
  bio text,
  location text,
  organization text,
  job_title text,
  pronouns text,
  public_email text,
  commit_email text,
  skype text,
  linkedin text,
  twitter text,
  discord text,
  website_url text,
  avatar_key text,
  note text,
  created_by_id bigint references "user" (id) on delete set null,
  confirmed_at bigint,
  updated_at bigint not null,
  -- Settings.
  private_profile boolean not null default false,
  theme_id integer not null default 1,
  color_scheme_id integer not null default 1,
  view_diffs_file_by_file boolean not null default false,
  show_whitespace_in_diffs boolean not null default true,
  pass_user_identities_to_ci_jwt boolean not null default false,
  shared_runners_minutes_limit integer,
  extra_shared_runners_minutes_limit integer,
  -- Visits.
  last_activity_at bigint,
  current_sign_in_at bigint,
  current_sign_in_ip text,
  last_sign_in_at bigint,
  last_sign_in_ip text,
  sign_in_count integer not null default 0
);
create index user_profile_by_last_activity_at on user_profile (last_activity_at);
create index user_profile_by_created_by_id on user_profile (created_by_id);
create index user_profile_by_updated_at on user_profile (updated_at, user_id);

create table user_status (
  user_id bigint primary key references "user" (id) on delete cascade,
  emoji text not null,
  message text,
  availability text not null,
  clear_at bigint
);

-- Several users may have an e-mail address until it is confirmed for one of them.
create table user_email (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  email text not null,
  confirmed_at bigint,
  created_at bigint not null
);
create index user_email_by_user_id on user_email (user_id);
create unique index user_email_confirmed_once on user_email (lower(email)) where confirmed_at is not null;
create unique index user_email_claimed_once on user_email (user_id, lower(email));

create table user_follow (
  follower_id bigint not null references "user" (id) on delete cascade,
  followed_id bigint not null references "user" (id) on delete cascade,
  created_at bigint not null,
  constraint user_follow_once primary key (follower_id, followed_id)
);
create index follower_list on user_follow (followed_id, follower_id);

-- Users whose deletion is not finished.
create table user_removal (
  user_id bigint primary key references "user" (id) on delete cascade,
  hard boolean not null,
  created_at bigint not null
);

-- Which terms of service users have accepted last.
create table terms_acceptance (
  user_id bigint primary key references "user" (id) on delete cascade,
  terms_version bigint not null,
  accepted_at bigint not null
);
`
