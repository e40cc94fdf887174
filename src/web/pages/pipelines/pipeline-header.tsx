import { GitBranch, GitPullRequest, Tag } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { Job } from '../../../coordinator/ci/jobs/schema.js'
import type { PipelineGraph } from '../../../coordinator/ci/pipelines/graph/schema.js'
import { useRead } from '../../api/use-read.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Avatar } from '../../kit/avatar.js'
import { Badge } from '../../kit/badge.js'
import { Icon } from '../../kit/icon.js'
import { PageHeader } from '../../kit/panel.js'
import { StatusBadge, StatusIcon } from '../../kit/status.js'
import { Duration, Time } from '../../kit/time.js'
import { HeaderActions } from './header-actions.js'
import styles from './pipeline-layout.module.css'
import type { ShownPipeline } from './use-pipeline.js'

/** Title, author, ref, times and actions of a pipeline. */
export function PipelineHeader({ project, pipeline, graph, path }: ShownPipeline & { path: string }) {
  const { sha, ref, tag, user, name } = pipeline
  const { may } = useProjectAbilities(project)
  const [, mergeRequest] = /^refs\/merge-requests\/(\d+)\//.exec(ref) ?? []
  const commit = useRead<{ title: string }>(
    may('read_code') ? `${projectApi(project)}/repository/commits/${sha}?stats=false` : undefined,
    { staleTime: Number.POSITIVE_INFINITY },
  )
  // Guests may not read commits, but the records of jobs have theirs.
  const jobs = useRead<Pick<Job, 'commit'>[]>(may('read_code') ? undefined : `${path}/jobs?per_page=1`, {
    staleTime: Number.POSITIVE_INFINITY,
  })
  const read = may('read_code') ? commit : jobs
  const title = name ?? commit.data?.title ?? jobs.data?.[0]?.commit?.title
  return (
    <PageHeader
      title={
        <>
          <StatusBadge status={pipeline.status} />
          {title === undefined && read.isPending ? (
            <span data-pending="" />
          ) : (
            <span>{title ?? `Pipeline ${pipeline.iid}`}</span>
          )}
          <span class={styles['number']}>#{pipeline.id}</span>
          {pipeline.yaml_errors !== null && <Badge tone="failed">invalid CI file</Badge>}
        </>
      }
      details={
        <>
          {user && (
            <a href={`/${user.username}`} class={styles['user']}>
              <Avatar name={user.name} url={user.avatar_url} size={18} />
              {user.name}
            </a>
          )}
          <a
            class={styles['ref']}
            href={addressOf('code/commits', { project, ref_path: ref })}
            title={mergeRequest === undefined ? (tag ? 'Tag' : 'Branch') : `Merge request !${mergeRequest}`}
          >
            <Icon icon={mergeRequest === undefined ? (tag ? Tag : GitBranch) : GitPullRequest} size={14} />
            {mergeRequest === undefined ? ref : `!${mergeRequest}`}
          </a>
          <a href={addressOf('code/commit', { project, sha })}>
            <code>{sha.slice(0, 8)}</code>
          </a>
          <span>{sourceLabel(pipeline.source)}</span>
          <Time value={pipeline.created_at} />
          {pipeline.started_at !== null && (
            <span>
              <Duration
                {...(pipeline.finished_at === null
                  ? { from: pipeline.started_at, to: null }
                  : { seconds: pipeline.duration ?? 0 })}
              />
              {pipeline.queued_duration !== null && (
                <>
                  , waited <Duration seconds={pipeline.queued_duration} />
                </>
              )}
            </span>
          )}
          {pipeline.coverage !== null && <span>coverage {pipeline.coverage} %</span>}
          <Links graph={graph} />
        </>
      }
      actions={<HeaderActions project={project} pipeline={pipeline} graph={graph} path={path} />}
    />
  )
}

function Links({ graph: { upstream, jobs } }: { graph: PipelineGraph }) {
  const downstream = jobs.flatMap((job) => (job.downstream ? [{ job, pipeline: job.downstream }] : []))
  return (
    <>
      {upstream && (
        <a
          class={styles['linked']}
          href={addressOf('pipelines/pipeline', { project: upstream.project_path, id: String(upstream.id) })}
        >
          ↑ started by <StatusIcon status={upstream.status} size={14} /> #{upstream.id}
        </a>
      )}
      {downstream.map(({ job, pipeline }) => (
        <a
          key={job.id}
          class={styles['linked']}
          href={addressOf('pipelines/pipeline', { project: pipeline.project_path, id: String(pipeline.id) })}
        >
          ↓ {job.name} <StatusIcon status={pipeline.status} size={14} /> #{pipeline.id}
        </a>
      ))}
    </>
  )
}

const SOURCES: Record<string, string> = {
  push: 'push',
  web: 'run on the page',
  api: 'API',
  trigger: 'trigger token',
  schedule: 'schedule',
  merge_request_event: 'merge request',
  parent_pipeline: 'parent pipeline',
  pipeline: 'other project',
  chat: 'chat command',
  external: 'external',
}

function sourceLabel(source: string): string {
  return SOURCES[source] ?? source.replaceAll('_', ' ')
}
