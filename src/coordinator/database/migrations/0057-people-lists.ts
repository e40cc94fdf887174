import type { Kysely } from 'kysely'

/** Indexes for lists of users and forks; each has the columns of the order and of the visibility rules. */
const INDEXES: Record<string, { table: string; columns: string[]; replaces?: string }> = {
  member_list_of_project: { table: 'member', columns: ['project_id', 'user_id', 'expires_at'] },
  member_list_of_group: { table: 'member', columns: ['group_id', 'user_id', 'expires_at'] },
  access_request_list_of_project: { table: 'access_request', columns: ['project_id', 'id'] },
  access_request_list_of_group: { table: 'access_request', columns: ['group_id', 'id'] },
  invitation_list_of_project: { table: 'invitation', columns: ['project_id', 'id', 'email'] },
  invitation_list_of_group: { table: 'invitation', columns: ['group_id', 'id', 'email'] },
  project_star_list: {
    table: 'project_star',
    columns: ['project_id', 'created_at', 'user_id'],
    replaces: 'project_star_by_project',
  },
  follower_list: {
    table: 'user_follow',
    columns: ['followed_id', 'follower_id'],
    replaces: 'user_follow_by_followed_id',
  },
  project_fork_list: {
    table: 'project',
    columns: ['forked_from_id', 'created_at', 'id', 'visibility', 'namespace_id'],
    replaces: 'project_by_forked_from',
  },
}

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  for (const [name, { table, columns, replaces }] of Object.entries(INDEXES)) {
    await schema.createIndex(name).on(table).columns(columns).execute()
    if (replaces) await schema.dropIndex(replaces).execute()
  }
}
