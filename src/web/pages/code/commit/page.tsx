import { FolderTree, GitBranch, Tag, Workflow } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { SingleCommit } from '../../../../coordinator/hosting/commits/schema.js'
import { useRead } from '../../../api/use-read.js'
import type { DiffEntry } from '../../../code/diff-files.js'
import { DiffView } from '../../../code/diff-view.js'
import { useTitle } from '../../../frame/document-title.js'
import { Missing } from '../../../frame/missing.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { LinkButton } from '../../../kit/button.js'
import { CopyButton } from '../../../kit/copy-button.js'
import { Icon } from '../../../kit/icon.js'
import { PageHeader } from '../../../kit/panel.js'
import { StatusBadge } from '../../../kit/status.js'
import { Time } from '../../../kit/time.js'
import { MarkedText } from '../../../text/marked-text.js'
import { Comments } from './comments.js'
import { CommitActions } from './commit-actions.js'
import { CommitStatuses } from './commit-statuses.js'
import { useLineComments } from './line-comments.js'
import styles from './page.module.css'

/** A commit: its message, where it is, its pipelines, and its changes. */
export function Page({ params: { project, sha } }: { params: Record<'project' | 'sha', string> }) {
  const commit = useRead<SingleCommit>(
    `${projectApi(project)}/repository/commits/${encodeURIComponent(sha)}?stats=false`,
  )
  return (
    <Read of={commit} title="Commit">
      {(record) => <Commit project={project} commit={record} />}
    </Read>
  )
}

function Commit({ project, commit }: { project: string; commit: SingleCommit }) {
  const { may } = useProjectAbilities(project)
  useTitle(`${commit.title} · ${project}`, commit.last_pipeline?.status)
  const base = `${projectApi(project)}/repository/commits/${commit.id}`
  const diff = useRead<DiffEntry[]>(`${base}/diff`, { staleTime: Infinity })
  const { notes, failure } = useLineComments(project, commit.id)
  const body = commit.message.slice(commit.title.length).trim()
  return (
    <>
      <PageHeader
        title={commit.title}
        details={
          <span>
            {commit.author_name} authored <Time value={commit.authored_date} />
            {commit.committer_name !== commit.author_name && (
              <>
                , {commit.committer_name} committed <Time value={commit.committed_date} />
              </>
            )}
          </span>
        }
        actions={
          <>
            <LinkButton icon={FolderTree} href={addressOf('code/tree', { project, ref_path: commit.id })}>
              Browse files
            </LinkButton>
            {may('read_pipelines') && (
              <LinkButton
                icon={Workflow}
                href={addressOf('pipelines/list', { project }, { filter: `sha:${commit.id}` })}
              >
                Pipelines
              </LinkButton>
            )}
            <CommitActions project={project} commit={commit} />
          </>
        }
      />
      <div class={styles['about']}>
        {body !== '' && (
          <pre class={styles['message']}>
            <MarkedText text={body} />
          </pre>
        )}
        <dl class={styles['facts']}>
          <dt>Commit</dt>
          <dd class={styles['whole']}>
            <code>{commit.id}</code>
            <CopyButton text={commit.id} label="Copy the SHA" />
          </dd>
          <dt>{commit.parent_ids.length === 1 ? 'Parent' : 'Parents'}</dt>
          <dd>
            {commit.parent_ids.length === 0
              ? 'none: this is the first commit'
              : commit.parent_ids.map((parent) => (
                  <a
                    key={parent}
                    class={styles['sha']}
                    href={addressOf('code/commit', { project, sha: parent })}
                  >
                    {parent.slice(0, 8)}
                  </a>
                ))}
          </dd>
          <Refs project={project} path={`${base}/refs?per_page=100`} />
          {may('read_pipelines') && (
            <>
              <dt>Pipeline</dt>
              <dd>
                {commit.last_pipeline ? (
                  <a
                    class={styles['pipeline']}
                    href={addressOf('pipelines/pipeline', { project, id: String(commit.last_pipeline.id) })}
                  >
                    <StatusBadge status={commit.last_pipeline.status} /> #{commit.last_pipeline.id}
                  </a>
                ) : (
                  'none'
                )}
              </dd>
            </>
          )}
        </dl>
      </div>
      {may('read_pipelines') && <CommitStatuses project={project} sha={commit.id} />}
      <Missing what="Comments on lines" failure={failure} />
      <Read of={diff}>
        {(entries) => (
          <DiffView
            key={commit.id}
            project={project}
            base={commit.parent_ids[0]}
            head={commit.id}
            entries={entries}
            notes={notes}
          />
        )}
      </Read>
      <Comments project={project} commit={commit} />
    </>
  )
}

interface CommitRef {
  type: 'branch' | 'tag'
  name: string
}

/** As many branches and tags are named; more would hide the rest of the page. */
const MAX_REFS = 12

/** Branches and tags that have the commit. */
function Refs({ project, path }: { project: string; path: string }) {
  const { data } = useRead<CommitRef[]>(path)
  const rest = (data?.length ?? 0) - MAX_REFS
  return (
    <>
      <dt>In</dt>
      <dd class={styles['refs']}>
        {data?.slice(0, MAX_REFS).map(({ type, name }) => (
          <a
            key={`${type} ${name}`}
            class={styles['ref']}
            href={addressOf('code/tree', { project, ref_path: name })}
          >
            <Icon icon={type === 'branch' ? GitBranch : Tag} size={14} label={type} />
            {name}
          </a>
        ))}
        {data?.length === 0 && 'no branch or tag'}
        {rest > 0 && <span>and {rest} more</span>}
      </dd>
    </>
  )
}
