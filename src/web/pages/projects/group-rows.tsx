import type { Group } from '../../../coordinator/accounts/groups/schema.js'
import { rememberGroups } from '../../frame/found.js'
import { Avatar } from '../../kit/avatar.js'
import { classNames } from '../../kit/class-names.js'
import list from '../../kit/list-rows.module.css'
import { Time } from '../../kit/time.js'
import { GroupTitle } from '../../records/group-title.js'
import styles from './group-rows.module.css'

/** Groups in a list. */
export function GroupRows({ groups }: { groups: readonly Group[] }) {
  rememberGroups(groups.map(({ full_path }) => full_path))
  return (
    <ul class={styles['rows']} aria-label="Groups">
      {groups.map((group) => (
        <li key={group.id} class={classNames(list['row'], styles['row'])}>
          <Avatar name={group.name} url={group.avatar_url} size={36} isSquare />
          <GroupTitle group={group} name={group.full_name} />
          <span class={styles['created']}>
            created <Time value={group.created_at} />
          </span>
        </li>
      ))}
    </ul>
  )
}
