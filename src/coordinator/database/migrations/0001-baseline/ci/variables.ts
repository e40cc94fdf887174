import type { ColumnTypes } from '../../column-types.js'

/** CI variables of projects, groups and the instance. */
export const variables = ({ id }: ColumnTypes): string => `
create table ci_variable (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  namespace_id bigint references namespace (id) on delete cascade,
  key text not null,
  value_encrypted text not null,
  variable_type text not null,
  protected boolean not null default false,
  masked boolean not null default false,
  hidden boolean not null default false,
  raw boolean not null default false,
  environment_scope text not null default '*',
  description text,
  created_at bigint not null,
  updated_at bigint not null
);
-- Null values are distinct in a unique index, so each kind of owner has its own.
create unique index ci_variable_of_project_once on ci_variable (project_id, key, environment_scope);
create unique index ci_variable_of_group_once on ci_variable (namespace_id, key, environment_scope);
create unique index ci_variable_of_instance_once on ci_variable (key)
  where project_id is null and namespace_id is null;
create index ci_variable_list on ci_variable (project_id, namespace_id, id);
`
