import type { ColumnTypes } from '../../column-types.js'

/** Test reports of jobs, and the history of failed test cases (CI language, 17.2). */
export const testReports = ({ id }: ColumnTypes): string => `
create table test_report (
  job_id bigint primary key references job (id) on delete cascade,
  suite_error text,
  total_time double precision not null,
  success_count integer not null,
  failed_count integer not null,
  skipped_count integer not null,
  error_count integer not null,
  blob_key text not null,
  project_id bigint,
  pipeline_id bigint,
  suite text,
  ref text,
  tag boolean,
  sha text,
  created_at bigint not null
);
create index test_report_by_ref on test_report (project_id, suite, tag, ref, pipeline_id);
create index test_report_by_commit on test_report (project_id, sha, suite);

create table test_case (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  digest text not null,
  suite text not null,
  name text not null,
  classname text not null,
  file text,
  failed_at bigint not null,
  flaky_at bigint,
  constraint test_case_digest unique (project_id, digest)
);
create index test_case_by_failure on test_case (project_id, failed_at, id);
create index flaky_test_case_by_failure on test_case (project_id, failed_at, id)
  where flaky_at is not null;

create table test_failure (
  case_id bigint not null references test_case (id) on delete cascade,
  job_id bigint not null references job (id) on delete cascade,
  pipeline_id bigint not null,
  ref text not null,
  tag boolean not null,
  sha text not null,
  flaky boolean not null,
  created_at bigint not null,
  constraint test_failure_pkey primary key (case_id, job_id)
);
create index test_failure_job on test_failure (job_id);
create index test_failure_age on test_failure (created_at);
`
