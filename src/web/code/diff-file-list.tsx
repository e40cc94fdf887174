import { useMemo, useState } from 'preact/hooks'

import { classNames } from '../kit/class-names.js'
import { Rows } from '../kit/rows.js'
import { SearchField } from '../kit/search-field.js'
import { Counts } from './diff-counts.js'
import styles from './diff-file-list.module.css'
import type { DiffFile } from './diff-files.js'

const ROW_HEIGHT = 44
/** From here on, a field finds files by their path. */
const MANY = 12

interface DiffFileListProps {
  files: readonly DiffFile[]
  /** Index of the file in sight. */
  current: number
  isViewed: (file: number) => boolean
  onChoose: (file: number) => void
}

/** The changed files with their counts; a click goes to the changes of one. */
export function DiffFileList({ files, current, isViewed, onChoose }: DiffFileListProps) {
  const [text, setText] = useState('')
  const shown = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    return files
      .map((_, index) => index)
      .filter((index) => files[index]?.entry.new_path.toLowerCase().includes(wanted))
  }, [files, text])
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
      {shown.length === 0 ? (
        <p class={styles['none']}>No changed file has this path.</p>
      ) : (
        <Rows
          label="Changed files"
          count={shown.length}
          rowHeight={ROW_HEIGHT}
          class={styles['rows']}
          render={(row) => {
            const index = shown[row] ?? 0
            const file = files[index]
            if (!file) return null
            const { new_path: path } = file.entry
            const slash = path.lastIndexOf('/')
            return (
              <button
                key={index}
                type="button"
                class={classNames(styles['file'], isViewed(index) && styles['viewed'])}
                aria-current={index === current ? 'true' : undefined}
                title={path}
                onClick={() => onChoose(index)}
              >
                <span class={styles['name']}>{path.slice(slash + 1)}</span>
                <Counts added={file.parsed.added} removed={file.parsed.removed} />
                <span class={styles['folder']}>{slash < 0 ? 'in the root' : path.slice(0, slash)}</span>
              </button>
            )
          }}
        />
      )}
    </>
  )
}
