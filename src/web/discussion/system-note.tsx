import {
  Calendar,
  CircleCheck,
  CircleDot,
  Clock,
  GitCommitHorizontal,
  type IconNode,
  Link,
  Lock,
  Milestone,
  Pencil,
  Tag,
  User,
} from 'lucide'

import type { DiscussedNote } from '../../coordinator/planning/discussions/schema.js'
import { Icon } from '../kit/icon.js'
import { Time } from '../kit/time.js'
import type { Discussed } from './discussed.js'
import { Markdown } from './markdown.js'
import styles from './system-note.module.css'

/** By the words with which the record of a change begins. */
const ICONS: readonly [RegExp, IconNode][] = [
  [/^(closed|resolved|approved|merged)/, CircleCheck],
  [/^reopened/, CircleDot],
  [/label/, Tag],
  [/milestone/, Milestone],
  [/assign|review/, User],
  [/due date/, Calendar],
  [/^(added|subtracted|removed|changed) .*(time|estimate)/, Clock],
  [/confidential|visible|locked/, Lock],
  [/^(mentioned|marked|made|moved|cloned)/, Link],
  [/commit|branch/, GitCommitHorizontal],
]

/** One line of the history of an issue or merge request. */
export function SystemNote({ of, note }: { of: Pick<Discussed, 'project'>; note: DiscussedNote }) {
  const icon = ICONS.find(([words]) => words.test(note.body))?.[1] ?? Pencil
  return (
    <div class={styles['line']} id={`note_${note.id}`}>
      <span class={styles['icon']}>
        <Icon icon={icon} size={14} />
      </span>
      <div class={styles['text']}>
        {note.author ? (
          <a class={styles['author']} href={`/${note.author.username}`}>
            {note.author.name}
          </a>
        ) : (
          <span class={styles['author']}>a deleted account</span>
        )}{' '}
        <Markdown class={styles['body']} project={of.project} text={note.body} html={note.body_html} />{' '}
        <span class={styles['time']}>
          <Time value={note.created_at} />
        </span>
      </div>
    </div>
  )
}
