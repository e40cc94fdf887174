import {
  Activity as ActivityIcon,
  CircleDot,
  FolderPlus,
  GitBranch,
  GitMerge,
  type IconNode,
  Milestone,
  Tag,
  UserMinus,
  UserPlus,
} from 'lucide'

import type { Event } from '../../coordinator/integrations/activity-events/schema.js'
import { useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { Problem } from '../frame/problem.js'
import { Empty } from '../kit/empty.js'
import { Icon } from '../kit/icon.js'
import { Skeleton } from '../kit/skeleton.js'
import { Time } from '../kit/time.js'
import styles from './activity.module.css'
import { eventWords, pushedCommits, type Words } from './event-words.js'
import { UserLink } from './user-link.js'

interface ActivityProps {
  /** A list of events of the API. */
  path: string
  /** The project is not named, because all events are in it. */
  hidesProject?: boolean
  /** The author is not named, because all events are theirs. */
  hidesAuthor?: boolean
  empty?: string
}

/** What people did, the newest first. */
export function Activity({
  path,
  hidesProject = false,
  hidesAuthor = false,
  empty = 'Nothing has happened here yet.',
}: ActivityProps) {
  const { rows, result, next } = useReadList<Event>(path, { keepsPrevious: true })
  if (rows.length === 0) {
    if (result.error) {
      return (
        <div class={styles['problem']}>
          <Problem error={result.error} retry={() => void result.refetch()} />
        </div>
      )
    }
    return result.isSuccess ? <Empty icon={ActivityIcon} title={empty} /> : <Skeleton />
  }
  return (
    <>
      <ol class={styles['events']} aria-label="Activity">
        {rows.map((event) => (
          <EventRow key={event.id} {...{ event, hidesProject, hidesAuthor }} />
        ))}
      </ol>
      <LoadMore of="activity" next={next} />
    </>
  )
}

interface EventRowProps extends Required<Pick<ActivityProps, 'hidesProject' | 'hidesAuthor'>> {
  event: Event
}

function EventRow({ event, hidesProject, hidesAuthor }: EventRowProps) {
  const commits = pushedCommits(event)
  return (
    <li class={styles['event']}>
      <Icon icon={iconOf(event)} />
      <div>
        <p class={styles['sentence']}>
          {!hidesAuthor && <UserLink user={event.author} />}
          {eventWords(event, hidesProject).map((words, index) => (
            <Part key={index} {...words} />
          ))}
        </p>
        {commits && (
          <p class={styles['commits']}>
            <Part {...commits} />
            <span>{commits.title}</span>
          </p>
        )}
      </div>
      <span class={styles['when']}>
        <Time value={event.created_at} />
      </span>
    </li>
  )
}

function Part({ text, href, isCode = false }: Words) {
  const content = isCode ? <code>{text}</code> : text
  return href === undefined ? <span>{content}</span> : <a href={href}>{content}</a>
}

function iconOf({ push_data: push, target_type: type, action_name: action }: Event): IconNode {
  if (push) return push.ref_type === 'tag' ? Tag : GitBranch
  if (type === 'MergeRequest') return GitMerge
  if (type === 'Milestone') return Milestone
  if (type !== null) return CircleDot
  if (action === 'created') return FolderPlus
  return action === 'joined' ? UserPlus : UserMinus
}
