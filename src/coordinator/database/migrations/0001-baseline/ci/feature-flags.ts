import type { ColumnTypes } from '../../column-types.js'

/**
 * Feature flags of projects, the lists of users that they name, and the tokens of the applications that read them.
 */
export const featureFlags = ({ id, json }: ColumnTypes): string => `
create table feature_flag_user_list (
  id ${id},
  iid bigint not null,
  project_id bigint not null references project (id) on delete cascade,
  name text not null,
  user_xids text not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint feature_flag_user_list_iid unique (project_id, iid),
  constraint feature_flag_user_list_name unique (project_id, name)
);

create table feature_flag (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  name text not null,
  description text,
  active boolean not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint feature_flag_name unique (project_id, name)
);

create table feature_flag_strategy (
  id ${id},
  feature_flag_id bigint not null references feature_flag (id) on delete cascade,
  name text not null,
  parameters ${json} not null,
  scopes ${json} not null,
  user_list_id bigint references feature_flag_user_list (id) on delete set null
);
create index feature_flag_strategy_by_feature_flag_id on feature_flag_strategy (feature_flag_id);
create index feature_flag_strategy_by_user_list_id on feature_flag_strategy (user_list_id);

create table feature_flag_client (
  project_id bigint primary key references project (id) on delete cascade,
  token_encrypted text not null
);
`
