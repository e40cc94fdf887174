import { CornerLeftUp, File, FileSymlink, Folder, FolderGit2, type IconNode } from 'lucide'

import { addressOf } from '../../addresses/address-of.js'
import type { TreeEntry } from '../../coordinator/hosting/repository-contents/schema.js'
import { Icon } from '../kit/icon.js'
import { Time } from '../kit/time.js'
import { MarkedText } from '../text/marked-text.js'
import styles from './file-list.module.css'
import { inTreeOrder } from './tree-order.js'
import type { ReadTreeCommits } from './use-tree-commits.js'

const SYMBOLIC_LINK = '120000'

interface FileListProps {
  project: string
  /** Branch, tag or commit. */
  refName: string
  /** Path of the folder; empty for the root. */
  path: string
  entries: readonly TreeEntry[]
  read: ReadTreeCommits
}

/** The entries of a folder, each with the commit that changed it last. */
export function FileList({ project, refName, path, entries, read }: FileListProps) {
  return (
    <table class={styles['files']} aria-label="Files">
      <colgroup>
        <col class={styles['nameColumn']} />
        <col />
        <col class={styles['whenColumn']} />
      </colgroup>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Last commit</th>
          <th scope="col">Last update</th>
        </tr>
      </thead>
      <tbody>
        {path !== '' && <ParentRow project={project} refName={refName} path={path} />}
        {inTreeOrder(entries).map((entry) => (
          <EntryRow
            key={entry.name}
            {...{ project, refName, entry }}
            commit={read.commits.get(entry.name)}
            isComplete={read.isComplete}
          />
        ))}
      </tbody>
    </table>
  )
}

function ParentRow({ project, refName, path }: Pick<FileListProps, 'project' | 'refName' | 'path'>) {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  return (
    <tr>
      <td colSpan={3} class={styles['name']}>
        <Icon icon={CornerLeftUp} />
        <a
          href={addressOf('code/tree', { project, ref_path: joined(refName, parent) })}
          aria-label="Parent folder"
        >
          ..
        </a>
      </td>
    </tr>
  )
}

interface EntryRowProps extends Pick<FileListProps, 'project' | 'refName'> {
  entry: TreeEntry
  commit: { id: string; title: string; authored_date: string; author_name: string } | undefined
  isComplete: boolean
}

function EntryRow({ project, refName, entry, commit, isComplete }: EntryRowProps) {
  const { name, path, type, id } = entry
  const refPath = joined(refName, path)
  return (
    <tr>
      <td class={styles['name']}>
        <Icon icon={iconOf(entry)} class={type === 'tree' ? styles['folder'] : styles['file']} />
        {type === 'commit' ? (
          <span>
            <MarkedText text={name} /> <span class={styles['quiet']}>@ {id.slice(0, 8)}</span>
          </span>
        ) : (
          <a href={addressOf(type === 'tree' ? 'code/tree' : 'code/file', { project, ref_path: refPath })}>
            <MarkedText text={name} />
          </a>
        )}
      </td>
      <td class={styles['commit']}>
        {commit ? (
          <a href={addressOf('code/commit', { project, sha: commit.id })} title={commit.title}>
            {commit.title}
          </a>
        ) : (
          !isComplete && <span class={styles['outline']} />
        )}
      </td>
      <td class={styles['when']}>{commit && <Time value={commit.authored_date} />}</td>
    </tr>
  )
}

function iconOf({ type, mode }: TreeEntry): IconNode {
  if (type === 'tree') return Folder
  if (type === 'commit') return FolderGit2
  return mode === SYMBOLIC_LINK ? FileSymlink : File
}

function joined(refName: string, path: string): string {
  return path === '' ? refName : `${refName}/${path}`
}
