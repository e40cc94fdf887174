import { addressOf } from '../../addresses/address-of.js'
import { classNames } from '../kit/class-names.js'
import list from '../kit/list-rows.module.css'
import { StatusIcon, statusLook } from '../kit/status.js'
import { Time } from '../kit/time.js'
import styles from './commit-line.module.css'

interface LinedCommit {
  id: string
  short_id: string
  title: string
  author_name: string
  authored_date: string
}

interface CommitLineProps {
  project: string
  commit: LinedCommit
  /** The latest pipeline of the commit. */
  pipeline?: { id: number; status: string } | null | undefined
}

/** The line of the commit that changed files last, above them; the bar keeps its place until the commit is read. */
export function CommitBar({
  commit,
  ...rest
}: Omit<CommitLineProps, 'commit'> & { commit: LinedCommit | undefined }) {
  return <div class={styles['bar']}>{commit && <CommitLine commit={commit} {...rest} />}</div>
}

/** A commit in one line: title, author, time, the status of its pipeline, and the beginning of its SHA. */
export function CommitLine({ project, commit, pipeline }: CommitLineProps) {
  const href = addressOf('code/commit', { project, sha: commit.id })
  return (
    <div class={styles['commit']}>
      <a class={classNames(list['title'], styles['title'])} href={href} title={commit.title}>
        {commit.title}
      </a>
      {/* A commit that cannot be read has no author. */}
      {commit.author_name && (
        <span class={styles['who']}>
          <span class={styles['author']}>{commit.author_name}</span> · <Time value={commit.authored_date} />
        </span>
      )}
      <span class={styles['end']}>
        {pipeline && (
          <a
            class={styles['status']}
            href={addressOf('pipelines/pipeline', { project, id: String(pipeline.id) })}
          >
            <StatusIcon
              status={pipeline.status}
              label={`Pipeline #${pipeline.id}: ${statusLook(pipeline.status).label}`}
            />
          </a>
        )}
        <a class={styles['sha']} href={href} aria-label={`Commit ${commit.short_id}`}>
          {commit.short_id}
        </a>
      </span>
    </div>
  )
}
