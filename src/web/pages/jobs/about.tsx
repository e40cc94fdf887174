import { Archive, Download, FolderOpen, GitCompare, Pin } from 'lucide'
import type { ComponentChildren } from 'preact'

import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { LinkedJob } from '../../../coordinator/ci/jobs/details/schema.js'
import type { DetailedJob } from '../../../coordinator/ci/jobs/schema.js'
import type { TestReportSummary } from '../../../coordinator/ci/pipelines/test-report-schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { isOver } from '../../job-log/use-job.js'
import { Badge } from '../../kit/badge.js'
import { Button, LinkButton } from '../../kit/button.js'
import { formatBytes, formatCount } from '../../kit/bytes.js'
import { CodeBlock } from '../../kit/code-block.js'
import { formatDuration } from '../../kit/durations.js'
import { Icon } from '../../kit/icon.js'
import { Panel } from '../../kit/panel.js'
import { StatusIcon } from '../../kit/status.js'
import { Duration, Time } from '../../kit/time.js'
import { RunnerLink } from '../../records/runners/runner-link.js'
import styles from './about.module.css'
import { archiveAddress } from './artifact-paths.js'
import { readersInstead } from './artifact-readers.js'
import { ArtifactsLifetime } from './artifacts-lifetime.js'
import { OpenAsPage } from './open-as-page.js'

/** What belongs to a job, beside its log. */
export function About({ project, job, base }: { project: string; job: DetailedJob; base: string }) {
  return (
    <aside class={styles['about']} aria-label="About this job">
      <Panel title="About">
        <dl class={styles['facts']}>
          <Fact name="Branch or tag">
            <a href={addressOf('code/commits', { project, ref_path: job.ref })}>{job.ref}</a>
          </Fact>
          {job.commit && (
            <Fact name="Commit">
              <a href={addressOf('code/commit', { project, sha: job.commit.id })}>{job.commit.title}</a>
            </Fact>
          )}
          {job.user && (
            <Fact name="Started by">
              <a href={`/${job.user.username}`}>{job.user.name}</a>
            </Fact>
          )}
          {job.runner && (
            <Fact name="Runner">
              <RunnerLink project={project} runner={job.runner} />
            </Fact>
          )}
          {job.kind === 'job' && job.tag_list.length > 0 && (
            <Fact name="Tags">
              {job.tag_list.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </Fact>
          )}
          {job.kind === 'job' && <Fact name="Timeout">{formatDuration(job.timeout)}</Fact>}
          {job.coverage !== null && <Fact name="Coverage">{job.coverage} %</Fact>}
          {job.environment && (
            <Fact name="Environment">
              <EnvironmentLink project={project} environment={job.environment} />
            </Fact>
          )}
          {job.resource_group !== null && <Fact name="Resource group">{job.resource_group}</Fact>}
          {job.inputs.map(({ name, value }) => (
            <Fact key={name} name={`Input ${name}`}>
              <code>{value === '' ? '(empty)' : value}</code>
            </Fact>
          ))}
          {job.variables.length > 0 && (
            <Fact name="Given variables">
              {job.variables.map((key) => (
                <code key={key}>{key}</code>
              ))}
            </Fact>
          )}
        </dl>
      </Panel>
      {job.kind === 'job' && job.status === 'failed' && <OnYourMachine project={project} />}
      <Artifacts project={project} job={job} base={base} />
      {isOver(job.status) && <Tests project={project} job={job} />}
      {job.attempts.length > 1 && <Attempts project={project} job={job} />}
      <Linked title="Needs" project={project} jobs={job.needs} />
      <Linked title="Needed by" project={project} jobs={job.needed_by} />
    </aside>
  )
}

/** For those who may read the code. */
function OnYourMachine({ project }: { project: string }) {
  const { may } = useProjectAbilities(project)
  if (!may('read_code')) return null
  return (
    <Panel title="On your machine">
      <CodeBlock text={`switchyard local --from ${location.origin}${location.pathname}`} label="command" />
    </Panel>
  )
}

/** A link for those who may see environments. */
function EnvironmentLink({
  project,
  environment: { id, name },
}: {
  project: string
  environment: NonNullable<DetailedJob['environment']>
}) {
  const { may } = useProjectAbilities(project)
  if (!may('read_environments')) return <>{name}</>
  return <a href={addressOf('environments/environment', { project, id: String(id) })}>{name}</a>
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Artifacts({ project, job, base }: { project: string; job: DetailedJob; base: string }) {
  const abilities = useProjectAbilities(project)
  const { may, isLoaded } = abilities
  const keep = useAction(async () => {
    await requestJson(`${base}/artifacts/keep`, { method: 'POST' })
    notify('The artifacts are kept')
    await refresh(base)
  }, notifyError)
  if (job.artifacts_expired_at !== null) {
    return (
      <Panel title="Artifacts">
        <p>
          They expired <Time value={job.artifacts_expired_at} />.
        </p>
      </Panel>
    )
  }
  if (!job.artifacts_file) return null
  const readers = isLoaded ? readersInstead(job, abilities) : undefined
  return (
    <Panel title="Artifacts">
      <p class={styles['size']}>
        <Icon icon={Archive} /> {formatBytes(job.artifacts_file.size)} <ArtifactsLifetime job={job} />
      </p>
      {readers !== undefined && <p class={styles['size']}>They are only for {readers}.</p>}
      <div class={styles['buttons']}>
        {isLoaded && readers === undefined && (
          <>
            <LinkButton
              size="small"
              icon={FolderOpen}
              href={addressOf('jobs/artifacts', { project, id: String(job.id), path: '' })}
            >
              Browse
            </LinkButton>
            <LinkButton size="small" icon={Download} data-reload="" href={archiveAddress(project, job.id)}>
              Download
            </LinkButton>
            <OpenAsPage project={project} jobId={job.id} folder="" size="small" />
          </>
        )}
        {job.artifacts_expire_at !== null && may('run_pipelines') && (
          <Button size="small" icon={Pin} isBusy={keep.isBusy} onClick={() => void keep.run()}>
            Keep
          </Button>
        )}
      </div>
    </Panel>
  )
}

/** The tests of the suite of the job, which parallel jobs share. */
function Tests({ project, job }: { project: string; job: DetailedJob }) {
  const pipeline = job.pipeline.id
  const summary = useRead<TestReportSummary>(
    `${projectApi(project)}/pipelines/${pipeline}/test_report_summary`,
  )
  const suite = summary.data?.test_suites.find(({ build_ids: ids }) => ids.includes(job.id))
  if (!suite) return null
  const { name, total_count: total, failed_count: failed, error_count: errors, suite_error: error } = suite
  return (
    <Panel title="Tests">
      {error === null ? (
        <p class={styles['size']}>
          <StatusIcon status={failed + errors > 0 ? 'failed' : 'success'} isDecoration />
          <span>
            {failed + errors > 0
              ? `${formatCount(failed + errors)} of ${formatCount(total)} failed`
              : `${formatCount(total)} passed`}
            {name !== job.name && ` in ${name}`}
          </span>
        </p>
      ) : (
        <p class={styles['size']}>The report cannot be read: {error}</p>
      )}
      <LinkButton
        size="small"
        href={addressOf('pipelines/tests', { project, id: String(pipeline) }, { job: job.id })}
      >
        Tests of this job
      </LinkButton>
    </Panel>
  )
}

function Attempts({ project, job }: { project: string; job: DetailedJob }) {
  return (
    <Panel title="Attempts">
      <ol class={styles['list']}>
        {job.attempts.map(({ id, status, duration }, index) => (
          <li key={id}>
            <a
              href={addressOf('jobs/job', { project, id: String(id) })}
              aria-current={id === job.id ? 'page' : undefined}
            >
              <StatusIcon status={status} />
              <span>Attempt {index + 1}</span>
              {duration !== null && <Duration seconds={duration} />}
            </a>
          </li>
        ))}
      </ol>
      <LinkButton
        size="small"
        icon={GitCompare}
        class={styles['compare']}
        href={addressOf('jobs/compare', { project, id: String(job.id) })}
      >
        Compare
      </LinkButton>
    </Panel>
  )
}

function Linked({ title, project, jobs }: { title: string; project: string; jobs: readonly LinkedJob[] }) {
  if (jobs.length === 0) return null
  return (
    <Panel title={title}>
      <ul class={styles['list']}>
        {jobs.map(({ id, name, status }) => (
          <li key={id}>
            <a href={addressOf('jobs/job', { project, id: String(id) })}>
              <StatusIcon status={status} />
              <span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
