import type { ColumnTypes } from '../../column-types.js'

/**
 * OAuth applications, their grants and tokens (API, A14). All are deleted with the application and with the user.
 */
export const oauth = ({ id, json }: ColumnTypes): string => `
create table oauth_application (
  id ${id},
  uid text not null unique,
  secret_digest text not null,
  name text not null,
  redirect_uris ${json} not null,
  scopes ${json} not null,
  confidential boolean not null,
  owner_id bigint references "user" (id) on delete cascade,
  dynamic boolean not null default false,
  created_at bigint not null
);
create index oauth_application_of_owner on oauth_application (owner_id, id);

create table oauth_grant (
  id ${id},
  application_id bigint not null references oauth_application (id) on delete cascade,
  user_id bigint references "user" (id) on delete cascade,
  scopes ${json} not null,
  code_digest text unique,
  code_expires_at bigint,
  code_used_at bigint,
  redirect_uri text,
  code_challenge text,
  revoked_at bigint,
  nonce text,
  auth_time bigint,
  created_at bigint not null
);
create index oauth_grant_by_application on oauth_grant (application_id);
create index oauth_grant_by_user on oauth_grant (user_id);

create table oauth_token (
  id ${id},
  grant_id bigint not null references oauth_grant (id) on delete cascade,
  scopes ${json} not null,
  access_digest text not null unique,
  refresh_digest text unique,
  expires_at bigint not null,
  refreshed_at bigint,
  created_at bigint not null
);
create index oauth_token_by_grant on oauth_token (grant_id);
create index oauth_token_by_age on oauth_token (created_at);

-- Device requests (RFC 8628).
create table oauth_device_request (
  id ${id},
  application_id bigint not null references oauth_application (id) on delete cascade,
  scopes ${json} not null,
  device_digest text not null unique,
  user_digest text not null unique,
  decision text,
  grant_id bigint references oauth_grant (id) on delete cascade,
  expires_at bigint not null,
  polled_by_header_at bigint,
  polled_by_body_at bigint
);
create index oauth_device_request_by_application on oauth_device_request (application_id);
create index oauth_device_request_by_grant on oauth_device_request (grant_id);
create index oauth_device_request_by_expires on oauth_device_request (expires_at);
`
