/** What only SQLite has. */
export const sqlite = (): string => `
-- Covering indexes. PostgreSQL limits an index entry to 2,704 bytes, which a long path may exceed.
create index namespace_list on namespace (name, id, kind, visibility, owner_id, parent_id, full_path);
create index namespace_list_of_kind on namespace (kind, name, id, visibility, parent_id, full_path);
create index namespace_list_of_parent on namespace (
  parent_id, name, id, kind, visibility, owner_id, full_path
);

-- To delete a user, SQLite searches their jobs and blocks the process that long. PostgreSQL would write these
-- indexes whenever a row changes, and reads the tables beside its other work.
create index job_by_user_id on job (user_id);
create index deployment_by_user_id on deployment (user_id);
create index commit_status_by_user_id on commit_status (user_id);

-- Commit statuses take their IDs from this row, which SQLite adds with the first job.
insert into sqlite_sequence (name, seq) values ('job', 0);
${['issue', 'merge_request'].map(textIndex).join('')}`

/**
 * This index lets a search find rare text without reading all texts. It has the parts of three characters of each text,
 * and not the text. A row is due until it is in there: to add each at once would take longer than to add several
 * together, and triggers see every change.
 */
function textIndex(table: string): string {
  return `
create virtual table ${table}_text using fts5(
  text, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none
);
create table ${table}_text_due (
  id integer primary key
);
create trigger ${table}_text_inserted after insert on ${table}
  begin insert into ${table}_text_due values (new.id) on conflict do nothing; end;
create trigger ${table}_text_updated after update of title, description on ${table}
  when new.title <> old.title or new.description is not old.description
  begin insert into ${table}_text_due values (new.id) on conflict do nothing; end;
create trigger ${table}_text_deleted after delete on ${table}
  begin insert into ${table}_text_due values (old.id) on conflict do nothing; end;
`
}
