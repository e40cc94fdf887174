import { addressOf } from '../../addresses/address-of.js'
import type { Group } from '../../coordinator/accounts/groups/schema.js'
import list from '../kit/list-rows.module.css'
import styles from './group-title.module.css'
import { VisibilityIcon } from './visibility.js'

/** The name of a group in a list, as a link, and what the group is for. */
export function GroupTitle({ group, name }: { group: Group; name: string }) {
  return (
    <div>
      <p class={styles['title']}>
        <a class={list['name']} data-entry="" href={addressOf('overview', { path: group.full_path })}>
          {name}
        </a>
        <VisibilityIcon visibility={group.visibility} />
      </p>
      {group.description && <p class={list['description']}>{group.description}</p>}
    </div>
  )
}
