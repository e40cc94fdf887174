/** Settings of the instance, and the coordinators that run. */
export const settings = (): string => `
create table instance_setting (
  key text primary key,
  value text not null
);

create table application_setting (
  name text primary key,
  value text,
  value_encrypted text,
  updated_at bigint not null
);

-- The coordinators that run, for administrators.
create table coordinator (
  id text primary key,
  host text not null,
  pid integer not null,
  version text not null,
  streams integer not null,
  memory_bytes bigint not null,
  seen_at bigint not null,
  started_at bigint not null
);
`
