import type { ColumnTypes } from '../../column-types.js'

/** Access of machines to repositories. */
export const deployAccess = ({ id, json }: ColumnTypes): string => `
create table deploy_token (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  namespace_id bigint references namespace (id) on delete cascade,
  creator_id bigint references "user" (id) on delete set null,
  name text not null,
  username text not null,
  digest text not null unique,
  scopes ${json} not null,
  revoked boolean not null default false,
  expires_at bigint,
  created_at bigint not null
);
create index deploy_token_by_project on deploy_token (project_id, id);
create index deploy_token_by_namespace on deploy_token (namespace_id, id);

create table deploy_key (
  id ${id},
  creator_id bigint references "user" (id) on delete set null,
  title text not null,
  key text not null,
  fingerprint text not null,
  fingerprint_sha256 text not null unique,
  expires_at bigint,
  created_at bigint not null
);

create table deploy_key_project (
  deploy_key_id bigint not null references deploy_key (id) on delete cascade,
  project_id bigint not null references project (id) on delete cascade,
  can_push boolean not null default false,
  constraint deploy_key_project_once primary key (project_id, deploy_key_id)
);
`
