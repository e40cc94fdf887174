import { encodePath } from '../../addresses/address-of.js'
import { formatBytes } from '../kit/bytes.js'
import { classNames } from '../kit/class-names.js'
import styles from './binary-change.module.css'
import type { DiffEntry } from './diff-files.js'
import { useFile } from './use-file.js'

export interface BinaryChangeProps {
  project: string
  /** The commit before the change; undefined if it is not known. */
  base: string | undefined
  /** The commit, branch or tag after the change. */
  head: string
  entry: DiffEntry
  /** Height in pixels; a single line shows the sizes alone. */
  height: number
}

/** What a file without lines was before and after a change: its sizes, and pictures beside each other. */
export function BinaryChange({ project, base, head, entry, height }: BinaryChangeProps) {
  const { new_file: isNew, deleted_file: isDeleted, old_path: oldPath, new_path: newPath } = entry
  const common = { project, showsPicture: height > 20 }
  return (
    <div
      class={classNames(styles['change'], height > 20 && styles['pictures'])}
      style={{ height: `${height}px` }}
    >
      {height <= 20 && <span>No lines to show.</span>}
      {!isNew && base !== undefined && <Side {...common} title="Before" refName={base} path={oldPath} />}
      {!isDeleted && <Side {...common} title="After" refName={head} path={newPath} />}
    </div>
  )
}

interface SideProps {
  project: string
  title: 'Before' | 'After'
  refName: string
  path: string
  showsPicture: boolean
}

function Side({ project, title, refName, path, showsPicture }: SideProps) {
  const { data, error } = useFile(project, refName, path)
  const size = data ? formatBytes(data.size) : error ? error.message : '…'
  if (!showsPicture)
    return (
      <span>
        {title}: {size}
      </span>
    )
  return (
    <figure class={styles['side']}>
      <figcaption>
        {title}: {size}
        {data?.kind === 'lfs' && ', in Git LFS'}
      </figcaption>
      {data?.shownAs === 'image' && data.kind !== 'lfs' && (
        <img
          src={`/${project}/-/raw/${encodePath(`${refName}/${path}`)}`}
          alt={`${path}: ${title.toLowerCase()}`}
        />
      )}
    </figure>
  )
}
