import { Avatar } from '../kit/avatar.js'
import styles from './user-link.module.css'

interface ShownUser {
  username: string
  name: string
  avatar_url?: string | null
}

/** Picture and name of a user, as a link to the profile. A deleted account has only a word. */
export function UserLink({
  user,
  size = 18,
  hidesName = false,
}: {
  user: ShownUser | null | undefined
  /** Edge length of the picture, in pixels. */
  size?: number
  /** The name is only read by screen readers, and shown as a tooltip. */
  hidesName?: boolean
}) {
  if (!user) return <span class={styles['user']}>a deleted account</span>
  return (
    <a class={styles['user']} href={`/${user.username}`} title={`@${user.username}`}>
      <Avatar name={user.name} url={user.avatar_url} size={size} />
      <span class={hidesName ? 'visually-hidden' : styles['name']}>{user.name}</span>
    </a>
  )
}
