import type { ColumnTypes } from '../../column-types.js'

/** Wikis and snippets, whose pages and files are in git. */
export const wikis = ({ id }: ColumnTypes): string => `
create table wiki (
  project_id bigint primary key references project (id) on delete cascade,
  head_sha text,
  size bigint not null,
  updated_at bigint not null
);

create table wiki_page (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  slug text not null,
  title text not null,
  format text not null
);
create unique index wiki_page_by_slug on wiki_page (project_id, slug);

create table snippet (
  id ${id},
  project_id bigint references project (id) on delete cascade,
  author_id bigint not null references "user" (id),
  title text not null,
  description text,
  file_name text not null,
  visibility text not null,
  is_ready boolean not null default false,
  user_agent text,
  ip_address text,
  size bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null
);
create index snippet_of_project on snippet (project_id, id);
create index snippet_of_author on snippet (author_id, id);
`
