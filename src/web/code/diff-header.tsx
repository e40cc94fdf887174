import { ChevronDown, ChevronRight, Copy, Eye, MessageSquarePlus, UnfoldVertical } from 'lucide'
import type { ComponentChildren } from 'preact'

import { addressOf } from '../../addresses/address-of.js'
import { Badge } from '../kit/badge.js'
import { IconButton } from '../kit/button.js'
import { copyText } from '../kit/copy-button.js'
import { Menu, MenuItem } from '../kit/menu.js'
import { MarkedText } from '../text/marked-text.js'
import { Counts } from './diff-counts.js'
import type { DiffFile } from './diff-files.js'
import styles from './diff-header.module.css'

interface DiffHeaderProps {
  project: string
  /** The commit, branch or tag after the change. */
  head: string
  file: DiffFile
  /** What a page says about the changes of the file. */
  more?: ComponentChildren
  isFolded: boolean
  isViewed: boolean
  onFold: () => void
  onView: (isViewed: boolean) => void
  onOpenAll: () => void
  /** Asks for a line to comment on; absent for those who may not. */
  onNote?: (() => void) | undefined
}

/** The heading of a changed file: its path, what happened to it, and the numbers of changed lines. */
export function DiffHeader({
  project,
  head,
  file: { entry, parsed },
  more,
  isFolded,
  isViewed,
  onFold,
  onView,
  onOpenAll,
  onNote,
}: DiffHeaderProps) {
  const { new_path: path, old_path: oldPath } = entry
  return (
    <div class={styles['header']}>
      <IconButton
        size="small"
        icon={isFolded ? ChevronRight : ChevronDown}
        label={`${isFolded ? 'Show' : 'Hide'} the changes of ${path}`}
        onClick={onFold}
      />
      <h3 class={styles['path']} title={path}>
        {entry.renamed_file && (
          <span class={styles['old']}>
            <MarkedText text={oldPath} /> →{' '}
          </span>
        )}
        <MarkedText text={path} />
      </h3>
      {entry.new_file && <Badge tone="success">new</Badge>}
      {entry.deleted_file && <Badge tone="failed">deleted</Badge>}
      {entry.renamed_file && <Badge>renamed</Badge>}
      {entry.generated_file && <Badge>generated</Badge>}
      <Counts added={parsed.added} removed={parsed.removed} />
      {more}
      <span class={styles['space']} />
      <label class={styles['viewed']} title="Viewed">
        <input
          type="checkbox"
          checked={isViewed}
          onChange={({ currentTarget }) => onView(currentTarget.checked)}
        />
        <span class={styles['word']}>Viewed</span>
        <span class="visually-hidden">: {path}</span>
      </label>
      <Menu kind="ghost" size="small" name={`More about ${path}`}>
        <MenuItem icon={Copy} onSelect={() => void copyText(path)}>
          Copy path
        </MenuItem>
        {!entry.deleted_file && (
          <MenuItem icon={Eye} href={addressOf('code/file', { project, ref_path: `${head}/${path}` })}>
            View file
          </MenuItem>
        )}
        {onNote && parsed.hunks.length > 0 && (
          <MenuItem icon={MessageSquarePlus} onSelect={onNote}>
            Comment on a line…
          </MenuItem>
        )}
        {parsed.hunks.length > 0 && !entry.deleted_file && !entry.new_file && (
          <MenuItem icon={UnfoldVertical} onSelect={onOpenAll}>
            Show the whole file
          </MenuItem>
        )}
      </Menu>
    </div>
  )
}
