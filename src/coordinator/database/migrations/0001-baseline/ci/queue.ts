import type { ColumnTypes } from '../../column-types.js'

/** The queue of pending jobs, and the leases of running ones. */
export const queue = ({ id, json }: ColumnTypes): string => `
create table tag_set (
  id ${id},
  key text not null unique,
  tags ${json} not null
);

create table queue_entry (
  job_id bigint primary key references job (id) on delete cascade,
  project_id bigint not null references project (id) on delete cascade,
  tag_set_id bigint not null references tag_set (id),
  protected boolean not null,
  instance_runners_allowed boolean not null,
  queued_at bigint not null,
  priority integer not null default 0
);
-- The claim query skips from partition to partition in this index and takes the first job of one
-- (ci/queue/partitions.ts).
create index queue_entry_lane on queue_entry (
  project_id, tag_set_id, protected, instance_runners_allowed, priority, job_id
);
create index queue_entry_kind on queue_entry (tag_set_id, protected, instance_runners_allowed, job_id);

create table lease (
  job_id bigint primary key references job (id) on delete cascade,
  -- No reference: a lease outlives a deleted runner, so that its job still times out.
  runner_id bigint not null,
  project_id bigint not null,
  instance_runner boolean not null,
  expires_at bigint not null,
  heard_from boolean not null
);
create index lease_by_expires_at on lease (expires_at);
create index lease_by_instance_runner_and_project_id on lease (instance_runner, project_id);

-- Secrets of a job, kept while its runner may send a log.
create table trace_secret (
  job_id bigint primary key references lease (job_id) on delete cascade,
  secrets_encrypted text not null
);

-- How long jobs waited for a runner, as histograms.
create table queue_wait (
  resolution integer not null,
  start_at bigint not null,
  project_id bigint not null,
  tag_set_id bigint not null,
  runner_type text not null,
  bucket integer not null,
  jobs bigint not null,
  constraint queue_wait_pkey primary key (resolution, start_at, project_id, tag_set_id, runner_type, bucket)
);
create index queue_wait_by_project on queue_wait (project_id, start_at);

create table runner_wait (
  resolution integer not null,
  start_at bigint not null,
  runner_id bigint not null,
  bucket integer not null,
  jobs bigint not null,
  constraint runner_wait_pkey primary key (resolution, start_at, runner_id, bucket)
);
create index runner_wait_by_runner on runner_wait (runner_id, start_at);

-- How many runners had a job.
create table runner_use (
  start_at bigint not null,
  runner_id bigint not null,
  samples bigint not null,
  online bigint not null,
  busy bigint not null,
  jobs bigint not null,
  constraint runner_use_pkey primary key (start_at, runner_id)
);
`
