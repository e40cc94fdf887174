import { type AliasableExpression, type RawBuilder, sql } from 'kysely'

import { isLive } from '../../standing/is-live.js'
import { maySeeGroup, type Viewer } from '../../standing/reach.js'
import type { Source } from './source.js'

/** The membership that counts of one user. */
export interface Membership {
  user_id: number
  access_level: number
  expires_at: number | null
  created_at: number
  created_by_id: number | null
}

/**
 * Everybody who is a member, each once with the highest level: directly, by groups above, and by shares with groups that
 * the viewer may see (API gaps, C3). At equal levels the nearest membership is told.
 */
export function everyMember(source: Source, viewer: Viewer): AliasableExpression<Membership> {
  const candidates = sql.join(
    [direct(source), inherited(source), ...shared(source, viewer), personal(source)],
    sql` union all `,
  )
  return sql<Membership>`(
    select user_id, access_level, expires_at, created_at, created_by_id from (
      select candidate.*, row_number() over (partition by user_id order by access_level desc, distance) as place
        from (${candidates}) as candidate
    ) as ranked where place = 1)`
}

const COLUMNS = sql.raw('member.expires_at, member.created_at, member.created_by_id')

function direct({ kind, id }: Source): RawBuilder<unknown> {
  const owner = kind === 'project' ? sql.ref('member.project_id') : sql.ref('member.group_id')
  return sql`
    select member.user_id, member.access_level, ${COLUMNS}, 0 as distance from member
      where ${owner} = ${id} and ${isLive('member', Date.now())}`
}

function inherited({ kind, id, namespaceId }: Source): RawBuilder<unknown> {
  const itself = kind === 'group' ? id : 0
  return sql`
    select member.user_id, member.access_level, ${COLUMNS}, 1 from group_tree
      join member on member.group_id = group_tree.ancestor_id and ${isLive('member', Date.now())}
      where group_tree.group_id = ${namespaceId} and group_tree.ancestor_id <> ${itself}`
}

function shared({ kind, id, namespaceId }: Source, viewer: Viewer): RawBuilder<unknown>[] {
  const ofGroups = sql`group_tree as above join share on share.group_id = above.ancestor_id
    and above.group_id = ${namespaceId}`
  const ofProject = sql`(select * from share where project_id = ${id}) as share`
  return [ofGroups, ...(kind === 'project' ? [ofProject] : [])].map((shares) => {
    return sql`
      select member.user_id, case when member.access_level < share.group_access
          then member.access_level else share.group_access end, ${COLUMNS}, 2
        from ${shares}
        join namespace as invited on invited.id = share.with_group_id and ${maySeeGroup(viewer, 'invited')}
        join group_tree on group_tree.group_id = share.with_group_id
        join member on member.group_id = group_tree.ancestor_id and ${isLive('member', Date.now())}
        where ${isLive('share', Date.now())}`
  })
}

function personal({ namespaceId }: Source): RawBuilder<unknown> {
  return sql`
    select owner_id, 50, cast(null as bigint), created_at, cast(null as bigint), 3 from namespace
      where id = ${namespaceId} and kind = 'user' and owner_id is not null`
}
