import { Users } from 'lucide'

import type { UserProfile } from '../../../coordinator/accounts/users/record/schema.js'
import { useReadList } from '../../api/use-read.js'
import { LoadMore } from '../../frame/load-more.js'
import { Problem } from '../../frame/problem.js'
import { Empty } from '../../kit/empty.js'
import { Skeleton } from '../../kit/skeleton.js'
import { UserLink } from '../../records/user-link.js'
import styles from './user-list.module.css'

/** People, page by page. */
export function UserList({ path, empty }: { path: string; empty: string }) {
  const { rows, result, next } =
    useReadList<Pick<UserProfile, 'id' | 'name' | 'username' | 'avatar_url'>>(path)
  if (rows.length === 0) {
    if (result.error) return <Problem error={result.error} retry={() => void result.refetch()} />
    return result.isSuccess ? <Empty icon={Users} title={empty} /> : <Skeleton />
  }
  return (
    <>
      <ul class={styles['users']}>
        {rows.map((user) => (
          <li key={user.id}>
            <UserLink user={user} size={32} />
            <span class={styles['username']}>@{user.username}</span>
          </li>
        ))}
      </ul>
      <LoadMore of="people" next={next} />
    </>
  )
}
