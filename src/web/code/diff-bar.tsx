import { Columns2, Files, FoldVertical, Pilcrow, Rows3, UnfoldVertical } from 'lucide'
import type { ComponentChildren } from 'preact'

import { Button, IconButton } from '../kit/button.js'
import { formatCount } from '../kit/bytes.js'
import { Popover } from '../kit/popover.js'
import { Counts } from './diff-counts.js'
import type { DiffFile } from './diff-files.js'
import styles from './diff-view.module.css'

interface DiffBarProps {
  files: readonly DiffFile[]
  /** There are more changed files than these. */
  isCut: boolean
  viewedCount: number
  /** The changed files, for narrow screens. */
  list: ComponentChildren
  /** Whether the lines before and after are side by side; undefined where there is no room for it. */
  isSplit: boolean | undefined
  onSplit: (isSplit: boolean) => void
  hidesWhitespace: boolean
  onHideWhitespace: (hides: boolean) => void
  allFolded: boolean
  onFoldAll: (isFolded: boolean) => void
}

/** Counts of changed files and lines, and how they are shown. */
export function DiffBar(props: DiffBarProps) {
  const { files, isCut, viewedCount, list, isSplit, onSplit, hidesWhitespace, allFolded } = props
  const added = files.reduce((sum, { parsed }) => sum + parsed.added, 0)
  const removed = files.reduce((sum, { parsed }) => sum + parsed.removed, 0)
  const count = `${formatCount(files.length, isCut)} ${files.length === 1 ? 'file' : 'files'}`
  return (
    <div class={styles['bar']}>
      <h2 class={styles['title']}>Changes</h2>
      <span class={styles['narrowList']}>
        <Popover label={count} name={`Changed files: ${count}`} icon={Files} size="small" rendersWhenOpen>
          <div class={styles['popover']}>{list}</div>
        </Popover>
      </span>
      <span class={styles['count']}>{count}</span>
      <Counts added={added} removed={removed} />
      <span class={styles['progress']}>
        {viewedCount} / {files.length} viewed
      </span>
      <span class={styles['space']} />
      {isSplit !== undefined && <LayoutChoice isSplit={isSplit} onSplit={onSplit} />}
      <IconButton
        size="small"
        icon={Pilcrow}
        label="Hide changes of white space"
        aria-pressed={hidesWhitespace}
        onClick={() => props.onHideWhitespace(!hidesWhitespace)}
      />
      <IconButton
        size="small"
        icon={allFolded ? UnfoldVertical : FoldVertical}
        label={allFolded ? 'Show the changes of all files' : 'Hide the changes of all files'}
        onClick={() => props.onFoldAll(!allFolded)}
      />
    </div>
  )
}

function LayoutChoice({ isSplit, onSplit }: { isSplit: boolean; onSplit: (isSplit: boolean) => void }) {
  const choices = [
    { label: 'Unified', icon: Rows3, value: false },
    { label: 'Side by side', icon: Columns2, value: true },
  ]
  return (
    <span class={styles['choice']} role="group" aria-label="Layout">
      {choices.map(({ label, icon, value }) => (
        <Button
          key={label}
          size="small"
          kind="ghost"
          icon={icon}
          aria-pressed={isSplit === value}
          onClick={() => onSplit(value)}
        >
          {label}
        </Button>
      ))}
    </span>
  )
}
