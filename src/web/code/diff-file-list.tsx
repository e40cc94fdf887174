import { ChevronDown, ChevronRight } from 'lucide'
import { useMemo, useState } from 'preact/hooks'

import { classNames } from '../kit/class-names.js'
import { Icon } from '../kit/icon.js'
import { Rows } from '../kit/rows.js'
import { SearchField } from '../kit/search-field.js'
import { toggled } from '../kit/toggled.js'
import { MarkedText } from '../text/marked-text.js'
import { Counts } from './diff-counts.js'
import styles from './diff-file-list.module.css'
import type { DiffFile } from './diff-files.js'
import { diffTree } from './diff-tree.js'

const ROW_HEIGHT = 28
/** Deeper folders are not indented further, so that names stay readable. */
const MAX_INDENTS = 6
/** From here on, a field finds files by their path. */
const MANY = 12

interface DiffFileListProps {
  files: readonly DiffFile[]
  /** Index of the file in sight. */
  current: number
  isViewed: (file: number) => boolean
  onChoose: (file: number) => void
}

/** The changed files as a tree, with their counts; a click shows the changes of a file. */
export function DiffFileList({ files, current, isViewed, onChoose }: DiffFileListProps) {
  const [text, setText] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    const shown = files
      .map(({ entry }, file) => ({ file, path: entry.new_path }))
      .filter(({ path }) => path.toLowerCase().includes(wanted))
    return diffTree(shown, closed)
  }, [files, text, closed])
  const toggle = (path: string) => setClosed(toggled(closed, path))
  return (
    <>
      {files.length >= MANY && (
        <SearchField
          label="Find a changed file"
          placeholder="Find a file"
          value={text}
          onSearch={setText}
          class={styles['search']}
        />
      )}
      {rows.length === 0 ? (
        <p class={styles['none']}>No changed file has this path.</p>
      ) : (
        <Rows
          label="Changed files"
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          class={styles['rows']}
          render={(index) => {
            const row = rows[index]
            if (!row) return null
            const indent = { paddingLeft: `${8 + Math.min(row.depth, MAX_INDENTS) * 14}px` }
            if (row.kind === 'folder') {
              const isOpen = !closed.has(row.path)
              return (
                <button
                  key={`/${row.path}`}
                  type="button"
                  class={styles['folder']}
                  style={indent}
                  title={row.path}
                  aria-expanded={isOpen}
                  onClick={() => toggle(row.path)}
                >
                  <Icon icon={isOpen ? ChevronDown : ChevronRight} size={14} />
                  <span class={styles['name']}>
                    <MarkedText text={row.name} />
                  </span>
                </button>
              )
            }
            const file = files[row.file]
            if (!file) return null
            return (
              <button
                key={row.file}
                type="button"
                class={classNames(styles['file'], isViewed(row.file) && styles['viewed'])}
                style={indent}
                aria-current={row.file === current ? 'true' : undefined}
                title={file.entry.new_path}
                onClick={() => onChoose(row.file)}
              >
                <span class={styles['name']}>
                  <MarkedText text={row.name} />
                </span>
                <Counts added={file.parsed.added} removed={file.parsed.removed} />
              </button>
            )
          }}
        />
      )}
    </>
  )
}
