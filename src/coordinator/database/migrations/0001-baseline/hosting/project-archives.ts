import type { ColumnTypes } from '../../column-types.js'

/** Imports and exports of projects, which are done in the background (API, C2). */
export const projectArchives = ({ id }: ColumnTypes): string => `
create table project_import (
  id ${id},
  project_id bigint not null unique references project (id) on delete cascade,
  -- No reference: if the source is deleted, this is reported as the reason of the failure.
  source_project_id bigint,
  source_url_encrypted text,
  branch text,
  user_id bigint not null,
  claimed_until bigint,
  archive_key text,
  settings text,
  part text,
  final_name text,
  final_path text,
  overwrites_id bigint,
  line integer not null default 0,
  settled boolean not null default false,
  created_at bigint not null
);

-- Records that could not be imported.
create table project_import_problem (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  part text not null,
  line integer not null,
  message text not null,
  created_at bigint not null,
  constraint project_import_problem_once unique (project_id, part, line)
);

create table project_export (
  id ${id},
  project_id bigint not null unique references project (id) on delete cascade,
  description text,
  requested_at bigint,
  claimed_until bigint,
  blob_key text,
  size bigint,
  stale_key text,
  error text,
  finished_at bigint
);
`
