import type { ColumnTypes } from '../../column-types.js'

/** Mails to send, and changes about which mails are to be written. */
export const mails = ({ id, json }: ColumnTypes): string => `
create table mail (
  id ${id},
  user_id bigint references "user" (id) on delete cascade,
  content_encrypted text not null,
  attempts integer not null default 0,
  due_at bigint not null,
  created_at bigint not null
);
create index mail_due on mail (due_at, id);
create index mail_of_user on mail (user_id);

create table mail_notice (
  id ${id},
  project_id bigint not null references project (id) on delete cascade,
  kind text not null,
  facts ${json} not null,
  claimed_until bigint,
  created_at bigint not null
);
create index mail_notice_of_project on mail_notice (project_id);
`
