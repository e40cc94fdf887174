import type { ColumnTypes } from '../../column-types.js'

/** Users of chat services who give commands as users of this instance. */
export const chat = ({ id }: ColumnTypes): string => `
create table chat_name (
  id ${id},
  user_id bigint not null references "user" (id) on delete cascade,
  integration_id bigint not null references integration (id) on delete cascade,
  team_id text not null,
  team_domain text,
  chat_id text not null,
  chat_name text,
  last_used_at bigint,
  created_at bigint not null
);
create unique index chat_name_of_integration on chat_name (integration_id, team_id, chat_id);
create index chat_name_of_user on chat_name (user_id);

create table chat_name_code (
  id ${id},
  integration_id bigint not null references integration (id) on delete cascade,
  digest text not null unique,
  team_id text not null,
  team_domain text,
  chat_id text not null,
  chat_name text,
  expires_at bigint not null
);
create unique index chat_name_code_of_integration on chat_name_code (integration_id, team_id, chat_id);
create index chat_name_code_expiry on chat_name_code (expires_at);

-- Replies that chats get when a job has ended.
create table chat_reply (
  id ${id},
  pipeline_id bigint not null unique references pipeline (id) on delete cascade,
  url_encrypted text not null,
  due_at bigint,
  expires_at bigint not null
);
create index chat_reply_due on chat_reply (due_at, id);
create index chat_reply_expiry on chat_reply (expires_at);
`
