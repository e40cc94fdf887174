import type { Database } from '../../database/connect.js'

/** Whether the provider manages the account by SCIM. */
export async function isManaged(database: Database, userId: number, provider: string): Promise<boolean> {
  const row = await database
    .selectFrom('scim_user')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Names and IDs of the SCIM groups of a user; undefined if the claim of the sign-in decides, because the provider does not
 * manage the account, or has no SCIM group.
 */
export async function scimGroupsOf(
  database: Database,
  userId: number,
  provider: string,
): Promise<string[] | undefined> {
  if (!(await isManaged(database, userId, provider)) || !(await hasGroups(database, provider))) {
    return undefined
  }
  const rows = await database
    .selectFrom('scim_group_member')
    .innerJoin('scim_group', 'scim_group.id', 'scim_group_member.scim_group_id')
    .select(['scim_group.display_name', 'scim_group.external_id'])
    .where('scim_group_member.user_id', '=', userId)
    .where('scim_group.provider', '=', provider)
    .execute()
  return rows.flatMap(({ display_name, external_id }) =>
    external_id === null ? [display_name] : [display_name, external_id],
  )
}

async function hasGroups(database: Database, provider: string): Promise<boolean> {
  const row = await database
    .selectFrom('scim_group')
    .select('id')
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row !== undefined
}
