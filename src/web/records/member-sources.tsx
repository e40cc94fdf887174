import type { MemberSource } from '../../coordinator/accounts/members/schema.js'
import { useRead } from '../api/use-read.js'
import styles from './members.module.css'
import { roleName } from './roles.js'

/**
 * The memberships of a user; the first one determines the role. One request reads those of several users.
 * @param userIds the user, and others whose memberships are read in the same request
 */
export function useMemberSources(base: string, userIds: readonly number[], id: number): MemberSource[] {
  const query = userIds.map((userId) => `user_ids[]=${userId}`).join('&')
  const { data = [] } = useRead<MemberSource[]>(`${base}/member_sources?${query}`, { keepsPrevious: true })
  return data.filter(({ user_id: userId }) => userId === id)
}

/** Where a role comes from, and the other memberships, which give less. */
export function MemberSources({ sources }: { sources: readonly MemberSource[] }) {
  const [deciding, ...others] = sources
  if (!deciding) return null
  return (
    <div class={styles['sources']}>
      <SourceLink source={deciding} />
      {others.map((source) => (
        <div key={`${source.kind} ${source.group_full_path}`} class={styles['quiet']}>
          also {roleName(source.access_level)}: <SourceLink source={source} />
        </div>
      ))}
    </div>
  )
}

function SourceLink({ source }: { source: MemberSource }) {
  const { kind, group_full_path: path, group_name: name } = source
  if (kind === 'direct') return <>direct</>
  if (kind === 'namespace') return <>owns the namespace</>
  const isLimited = source.access_level < source.member_level
  return (
    <>
      {kind === 'group' ? 'inherited from' : 'invited group'}{' '}
      <a href={`/${path}`} title={path ?? undefined}>
        {name}
      </a>
      {isLimited && `, ${roleName(source.member_level)} there`}
    </>
  )
}
