import type { ColumnTypes } from '../../column-types.js'

/**
 * Commit statuses reported by other systems (API, E3). They take their IDs from those of jobs, because both are
 * listed together.
 */
export const commitStatuses = ({ id }: ColumnTypes): string => `
create table commit_status (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  pipeline_id bigint not null references pipeline (id) on delete cascade,
  stage_id bigint not null references stage (id) on delete cascade,
  name text not null,
  status text not null,
  ref text not null,
  target_url text,
  description text,
  coverage double precision,
  retried boolean not null default false,
  user_id bigint not null references "user" (id),
  created_at bigint not null,
  updated_at bigint not null,
  started_at bigint,
  finished_at bigint
);
create index commit_status_by_pipeline_id_and_name on commit_status (pipeline_id, name);
create index commit_status_by_stage_id on commit_status (stage_id);
create index commit_status_by_project_id on commit_status (project_id);
`
