import type { ColumnTypes } from '../../column-types.js'

/** Integrations of projects with other services. */
export const services = ({ id }: ColumnTypes): string => `
create table integration (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  slug text not null,
  active boolean not null default true,
  properties text not null default '{}',
  secrets_encrypted text,
  events text not null default '{}',
  created_at bigint not null,
  updated_at bigint not null
);
create unique index integration_of_project on integration (project_id, slug);

-- Builds of CI servers, whose status is asked for.
create table external_build (
  id ${id},
  integration_id bigint not null references integration (id) on delete cascade,
  project_id bigint not null references project (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  ref text not null,
  tag boolean not null,
  sha text not null,
  state text,
  due_at bigint not null,
  created_at bigint not null
);
create unique index external_build_once on external_build (integration_id, sha, ref, tag);
create index external_build_due on external_build (due_at, id);
create index external_build_of_project on external_build (project_id);
create index external_build_of_user on external_build (user_id);
`
