/** Statistics of repositories, and the number of fetches per day. */
export const projectStatistics = (): string => `
-- Computed by git, with the commit to which they belong.
create table project_measure (
  project_id bigint primary key references project (id) on delete cascade,
  head_sha text,
  commit_count integer not null,
  repository_size bigint not null,
  readme_path text,
  license_path text,
  license_key text,
  measured_at bigint not null
);

create table project_language (
  project_id bigint not null references project (id) on delete cascade,
  name text not null,
  bytes bigint not null,
  constraint project_language_once primary key (project_id, name)
);

create table project_fetch (
  project_id bigint not null references project (id) on delete cascade,
  day text not null,
  count integer not null,
  constraint project_fetch_once primary key (project_id, day)
);
create index project_fetch_by_day on project_fetch (day);
`
