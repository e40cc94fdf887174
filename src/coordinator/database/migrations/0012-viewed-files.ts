import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { executeStatements } from './execute-statements.js'

/** Changed files that reviewers of merge requests have marked as viewed. */
export async function up(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  await executeStatements(
    db,
    `
create table viewed_file (
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  user_id bigint not null references "user" (id) on delete cascade,
  digest text not null,
  viewed_at bigint not null,
  primary key (merge_request_id, user_id, digest)
);
create index viewed_file_by_user on viewed_file (user_id);
`,
  )
}
