import { addressOf } from '../../../addresses/address-of.js'
import type { Group } from '../../../coordinator/accounts/groups/schema.js'
import { rememberGroups } from '../../frame/found.js'
import { Avatar } from '../../kit/avatar.js'
import { Time } from '../../kit/time.js'
import { VisibilityIcon } from '../../records/visibility.js'
import styles from './group-rows.module.css'

/** Groups in a list. */
export function GroupRows({ groups }: { groups: readonly Group[] }) {
  rememberGroups(groups.map(({ full_path }) => full_path))
  return (
    <ul class={styles['rows']} aria-label="Groups">
      {groups.map((group) => (
        <li key={group.id} class={styles['row']}>
          <Avatar name={group.name} url={group.avatar_url} size={36} isSquare />
          <div>
            <p class={styles['title']}>
              <a class={styles['name']} data-entry="" href={addressOf('overview', { path: group.full_path })}>
                {group.full_name}
              </a>
              <VisibilityIcon visibility={group.visibility} />
            </p>
            {group.description && <p class={styles['description']}>{group.description}</p>}
          </div>
          <span class={styles['created']}>
            created <Time value={group.created_at} />
          </span>
        </li>
      ))}
    </ul>
  )
}
