import {
  CirclePlay,
  CircleX,
  GitBranch,
  GitPullRequest,
  Pencil,
  RotateCcw,
  SquarePen,
  Tag,
  Trash2,
  Workflow,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { Job } from '../../../coordinator/ci/jobs/schema.js'
import type { GraphJob, PipelineGraph } from '../../../coordinator/ci/pipelines/graph/schema.js'
import type { JobsOutcome, Pipeline } from '../../../coordinator/ci/pipelines/schema.js'
import type { TestReportSummary } from '../../../coordinator/ci/pipelines/test-report-schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead, useRefetchOn } from '../../api/use-read.js'
import { useTitle } from '../../frame/document-title.js'
import { navigate } from '../../frame/location.js'
import { notify, notifyError } from '../../frame/notices.js'
import { changePreferences } from '../../frame/preferences.js'
import { Read } from '../../frame/problem.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Alert } from '../../kit/alert.js'
import { Avatar } from '../../kit/avatar.js'
import { Badge } from '../../kit/badge.js'
import { Button, LinkButton } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Empty } from '../../kit/empty.js'
import { Icon } from '../../kit/icon.js'
import { useKeys } from '../../kit/keys.js'
import { Menu, MenuItem, MenuLine } from '../../kit/menu.js'
import { PageHeader } from '../../kit/panel.js'
import { StatusBadge, StatusIcon } from '../../kit/status.js'
import { type Tab, Tabs } from '../../kit/tabs.js'
import { Duration, Time } from '../../kit/time.js'
import { useNarrow } from '../../kit/use-narrow.js'
import { CANCELABLE } from './pipeline-actions.js'
import styles from './pipeline-layout.module.css'
import { RenameDialog } from './rename-dialog.js'
import { testCount, testSummaryPath } from './test-summary.js'
import { usePipeline } from './use-pipeline.js'

type PipelineTab = 'failures' | 'graph' | 'needs' | 'waterfall' | 'jobs' | 'tests' | 'variables' | 'compare'

export interface ShownPipeline {
  project: string
  pipeline: Pipeline
  graph: PipelineGraph
}

interface LayoutProps {
  params: { project: string; id: string }
  tab: PipelineTab
  children: (shown: ShownPipeline) => ComponentChildren
}

/** What every page of a pipeline begins with: its state, its actions, and the tabs. */
export function PipelineLayout({ params: { project, id }, tab, children }: LayoutProps) {
  const { pipeline, graph, path } = usePipeline(project, id)
  useTitle(`Pipeline #${id} · ${project}`, pipeline.data?.status)
  return (
    <Read of={pipeline} title={`Pipeline #${id}`}>
      {(record) => (
        <Read of={graph} title={`Pipeline #${id}`}>
          {(known) => (
            <>
              <Header project={project} pipeline={record} graph={known} path={path} />
              <Messages pipeline={record} project={project} />
              <PipelineTabs project={project} pipeline={record} graph={known} current={tab} />
              <div class={styles['content']}>
                {known.jobs.length === 0 && JOB_TABS.has(tab) ? (
                  <NoJobs pipeline={record} />
                ) : (
                  children({ project, pipeline: record, graph: known })
                )}
              </div>
            </>
          )}
        </Read>
      )}
    </Read>
  )
}

/** Tabs that have nothing to show without jobs. */
const JOB_TABS: ReadonlySet<PipelineTab> = new Set([
  'failures',
  'graph',
  'needs',
  'waterfall',
  'jobs',
  'tests',
])

/** Why a pipeline has no jobs. */
function NoJobs({ pipeline: { status, yaml_errors: errors } }: { pipeline: Pipeline }) {
  return (
    <Empty icon={Workflow} title="This pipeline has no jobs.">
      {errors !== null ? (
        'Its CI file has errors, so that no job could be created.'
      ) : status === 'skipped' ? (
        <>
          The message of the commit contains <code>[skip ci]</code>, or the push had the option{' '}
          <code>ci.skip</code>.
        </>
      ) : undefined}
    </Empty>
  )
}

function Header({ project, pipeline, graph, path }: ShownPipeline & { path: string }) {
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
      actions={<Actions project={project} pipeline={pipeline} graph={graph} path={path} />}
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

function Actions({ project, pipeline, graph, path }: ShownPipeline & { path: string }) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [deletes, setDeletes] = useState(false)
  const [plays, setPlays] = useState<{ name: string; jobs: GraphJob[] }>()
  const [renames, setRenames] = useState(false)
  const act = useAction(async (action: 'retry' | 'cancel', body?: object) => {
    await requestJson(`${path}/${action}`, { method: 'POST', ...(body && { body }) })
    await refresh(path)
  }, notifyError)
  const play = useAction(async (stage: string) => {
    const { jobs, refused } = await requestJson<JobsOutcome>(
      `${path}/stages/${encodeURIComponent(stage)}/play`,
      { method: 'POST' },
    )
    notify(
      refused.length === 0
        ? `${countOfJobs(jobs.length)} of ${stage} started`
        : `${countOfJobs(jobs.length)} of ${stage} started; not started: ${refused.map(({ name, message }) => `${name} (${message})`).join(', ')}`,
    )
    setPlays(undefined)
    await refresh(path)
  }, notifyError)
  const remove = useAction(async () => {
    await requestJson(path, { method: 'DELETE' })
    notify(`Pipeline #${pipeline.id} was deleted`)
    navigate(addressOf('pipelines/list', { project }))
  }, notifyError)
  const canRetry = graph.jobs.some(needsRetry)
  const canCancel =
    CANCELABLE.has(pipeline.status) || graph.jobs.some(({ actions }) => actions.includes('cancel'))
  const menuCancels = useNarrow(700) && canRetry && canCancel
  const mayRun = may('run_pipelines')
  useKeys({
    ...(mayRun && canRetry && { r: () => void act.run('retry') }),
    ...(mayRun && canCancel && { c: () => void act.run('cancel') }),
  })
  if (!mayRun && !may('delete_pipelines')) return null
  const reason = reasonAgainst('run_pipelines')
  const failedStages = graph.stages.filter(({ name }) =>
    graph.jobs.some((job) => job.stage === name && needsRetry(job)),
  )
  const manualStages = graph.stages.flatMap(({ name }) => {
    const jobs = graph.jobs.filter(
      ({ stage, status, actions }) => stage === name && status === 'manual' && actions.includes('play'),
    )
    return jobs.length > 0 ? [{ name, jobs }] : []
  })
  return (
    <>
      {mayRun && canRetry && (
        <Button icon={RotateCcw} isBusy={act.isBusy} reason={reason} onClick={() => void act.run('retry')}>
          Retry
        </Button>
      )}
      {mayRun && canCancel && !menuCancels && (
        <Button icon={CircleX} isBusy={act.isBusy} reason={reason} onClick={() => void act.run('cancel')}>
          Cancel
        </Button>
      )}
      <Menu name="More actions">
        {mayRun && menuCancels && (
          <MenuItem icon={CircleX} isChange reason={reason} onSelect={() => void act.run('cancel')}>
            Cancel
          </MenuItem>
        )}
        {mayRun &&
          failedStages.map(({ name }) => (
            <MenuItem
              key={name}
              icon={RotateCcw}
              reason={reason}
              isChange
              onSelect={() => void act.run('retry', { from_stage: name })}
            >
              Retry from stage {name}
            </MenuItem>
          ))}
        {mayRun &&
          manualStages.map((stage) => (
            <MenuItem key={stage.name} icon={CirclePlay} reason={reason} onSelect={() => setPlays(stage)}>
              Run all manual jobs of stage {stage.name}
            </MenuItem>
          ))}
        {mayRun && (
          <MenuItem icon={Pencil} reason={reason} onSelect={() => setRenames(true)}>
            Rename pipeline
          </MenuItem>
        )}
        {may('delete_pipelines') && (
          <>
            <MenuLine />
            <MenuItem icon={Trash2} isDangerous onSelect={() => setDeletes(true)}>
              Delete pipeline
            </MenuItem>
          </>
        )}
      </Menu>
      {plays && (
        <ConfirmDialog
          title={`Run ${countOfJobs(plays.jobs.length)} of stage ${plays.name}?`}
          action="Run"
          isBusy={play.isBusy}
          onConfirm={() => void play.run(plays.name)}
          onClose={() => setPlays(undefined)}
        >
          <ul class={styles['plays']}>
            {plays.jobs.map(({ id, name, manual_confirmation: question }) => (
              <li key={id}>
                {name}
                {question !== null && `: ${question}`}
              </li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
      {renames && <RenameDialog path={path} name={pipeline.name ?? ''} onClose={() => setRenames(false)} />}
      {deletes && (
        <ConfirmDialog
          title={`Delete pipeline #${pipeline.id}?`}
          action="Delete pipeline"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run()}
          onClose={() => setDeletes(false)}
        >
          <p>Its jobs, logs and artifacts are deleted too. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function countOfJobs(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`
}

function needsRetry({ status, actions }: GraphJob): boolean {
  return (status === 'failed' || status === 'canceled') && actions.includes('retry')
}

function Messages({ pipeline, project }: { pipeline: Pipeline; project: string }) {
  const { yaml_errors: errors, warnings, auto_canceled_by_id: by, failure_reason: reason } = pipeline
  return (
    <div class={styles['messages']}>
      {errors !== null && (
        <Alert
          tone="error"
          title="The CI file has errors."
          actions={
            pipeline.tag || pipeline.ref.startsWith('refs/') ? undefined : (
              <LinkButton
                size="small"
                icon={SquarePen}
                href={addressOf('editor/edit', { project }, { ref: pipeline.ref })}
              >
                Edit the CI file
              </LinkButton>
            )
          }
        >
          <pre class={styles['errors']}>{errors}</pre>
        </Alert>
      )}
      {errors === null && reason !== null && <Alert tone="error" title={reasonText(reason)} />}
      {by !== null && (
        <Alert>
          A newer pipeline made this one redundant:{' '}
          <a href={addressOf('pipelines/pipeline', { project, id: String(by) })}>#{by}</a>
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert
          tone="warning"
          title={
            warnings.length === 1 ? '1 warning of the CI file' : `${warnings.length} warnings of the CI file`
          }
        >
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Alert>
      )}
    </div>
  )
}

function PipelineTabs({ project, pipeline, graph, current }: ShownPipeline & { current: PipelineTab }) {
  const summary = useRead<TestReportSummary>(testSummaryPath(project, pipeline.id))
  const ended = graph.jobs.filter(({ finished_at: at }) => at !== null).length
  // The report of a job arrives before its end.
  useRefetchOn(ended, summary)
  const tests = summary.data && testCount(summary.data)
  return <Tabs label="Pipeline" tabs={tabsOf({ project, pipeline, graph }, current, tests)} />
}

/** Tabs of a pipeline that has no jobs. */
const WITHOUT_JOBS: ReadonlySet<PipelineTab> = new Set(['graph', 'variables'])

function tabsOf(
  { project, pipeline, graph }: ShownPipeline,
  current: PipelineTab,
  tests: string | undefined,
): Tab[] {
  const params = { project, id: String(pipeline.id) }
  const hasJobs = graph.jobs.length > 0
  const failed = graph.jobs.filter(({ status }) => status === 'failed').length
  const remember = (failedPipelineTab: 'failures' | 'graph') =>
    graph.status === 'failed' ? () => changePreferences({ failedPipelineTab }) : undefined
  const tabs: {
    tab: PipelineTab
    label: string
    href: string
    count?: number | string | undefined
    isLeftOut?: boolean
    onSelect?: (() => void) | undefined
  }[] = [
    {
      tab: 'failures',
      label: 'Failures',
      href: addressOf('pipelines/failures', params),
      count: failed,
      isLeftOut: failed === 0 && current !== 'failures',
      onSelect: remember('failures'),
    },
    {
      tab: 'graph',
      label: 'Graph',
      href: addressOf('pipelines/pipeline', params, { view: 'graph' }),
      onSelect: remember('graph'),
    },
    { tab: 'needs', label: 'Needs', href: addressOf('pipelines/needs', params) },
    { tab: 'waterfall', label: 'Waterfall', href: addressOf('pipelines/waterfall', params) },
    { tab: 'jobs', label: 'Jobs', href: addressOf('pipelines/jobs', params), count: graph.jobs.length },
    { tab: 'tests', label: 'Tests', href: addressOf('pipelines/tests', params), count: tests },
    { tab: 'variables', label: 'Variables', href: addressOf('pipelines/variables', params) },
    { tab: 'compare', label: 'Compare', href: addressOf('pipelines/compare', params) },
  ]
  return tabs
    .filter(({ tab, isLeftOut }) => !isLeftOut && (hasJobs || WITHOUT_JOBS.has(tab) || tab === current))
    .map(({ tab, label, href, count, onSelect }) => ({
      label,
      href,
      count,
      onSelect,
      isCurrent: tab === current,
    }))
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

function reasonText(reason: string): string {
  return `The pipeline has failed: ${reason.replaceAll('_', ' ')}.`
}
