import type { ColumnTypes } from '../../column-types.js'

/** Files of jobs and projects: artifacts, caches, logs and secure files. */
export const files = ({ id }: ColumnTypes): string => `
create table job_artifact (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  job_id bigint not null references job (id) on delete cascade,
  file_type text not null,
  file_format text not null,
  filename text not null,
  size bigint not null,
  sha256 text not null,
  blob_key text not null,
  expire_at bigint,
  created_at bigint not null,
  constraint job_artifact_once unique (job_id, file_type)
);
create index job_artifact_by_expire_at on job_artifact (expire_at);
create index job_artifact_by_project on job_artifact (project_id);

create table cache_archive (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  protected boolean not null,
  key_digest text not null,
  key text not null,
  size bigint not null,
  sha256 text not null,
  content text,
  blob_key text not null,
  used_at bigint not null,
  created_at bigint not null
);
create unique index cache_archive_place on cache_archive (project_id, protected, key_digest);
create index cache_archive_used_at on cache_archive (used_at);

-- Logs of ended jobs in the blob store, and those on their way there. No references: the files of a job are
-- deleted after its row.
create table stored_log (
  job_id bigint primary key,
  project_id bigint not null,
  upload_key text,
  upload_started_at bigint,
  blob_key text,
  times_key text,
  size bigint not null
);
create index stored_log_project_id on stored_log (project_id);

-- Blobs that no row names, while they are being deleted.
create table orphaned_blob (
  blob_key text primary key,
  marked_at bigint not null
);

create table secure_file (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  name text not null,
  size bigint not null,
  sha256 text not null,
  blob_key text not null,
  seal text not null,
  created_at bigint not null
);
create unique index secure_file_by_name on secure_file (project_id, name);
create index secure_file_by_project on secure_file (project_id, id);
`
