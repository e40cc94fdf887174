import { CircleCheck, RotateCcw } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { PipelineFailure } from '../../../coordinator/ci/pipelines/failures/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead, useRefetchOn } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { Read } from '../../frame/problem.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Badge } from '../../kit/badge.js'
import { Button, LinkButton } from '../../kit/button.js'
import { Empty } from '../../kit/empty.js'
import { Panel } from '../../kit/panel.js'
import { shownStatus, StatusIcon } from '../../kit/status.js'
import { fileAddressAt } from '../../log/file-address.js'
import { LogExcerpt } from '../../log/log-excerpt.js'
import { failureWords } from '../../records/failure-words.js'
import { MarkedText } from '../../text/marked-text.js'
import styles from './failures-tab.module.css'
import type { ShownPipeline } from './use-pipeline.js'

/** The jobs that failed, each with the line of its log that says why, and its failed tests. */
export function FailuresTab({ project, pipeline, graph }: ShownPipeline) {
  const failures = useRead<PipelineFailure[]>(`${projectApi(project)}/pipelines/${pipeline.id}/failures`)
  const failed = graph.jobs.flatMap(({ id, status }) => (status === 'failed' ? [id] : [])).join(' ')
  // Then a job has failed, or was retried, since they were read.
  useRefetchOn(failed, failures)
  return (
    <Read of={failures}>
      {(all) =>
        all.length === 0 ? (
          <Empty icon={CircleCheck} title="No job has failed." />
        ) : (
          <div class={styles['failures']}>
            {blockingFirst(all).map((failure) => (
              <Failure key={failure.id} project={project} pipeline={pipeline} failure={failure} />
            ))}
          </div>
        )
      }
    </Read>
  )
}

/** Jobs with `allow_failure` come last: the pipeline did not fail because of them. */
function blockingFirst(failures: readonly PipelineFailure[]): PipelineFailure[] {
  return failures.toSorted((a, b) => Number(a.allow_failure) - Number(b.allow_failure))
}

function Failure({
  project,
  pipeline,
  failure,
}: Pick<ShownPipeline, 'project' | 'pipeline'> & { failure: PipelineFailure }) {
  const { id, name, failure_reason: reason, exit_code: code, recent, lines } = failure
  const { first_line: first, failing_line: failing } = failure
  const job = addressOf('jobs/job', { project, id: String(id) })
  return (
    <Panel
      title={
        <>
          <StatusIcon status={shownStatus(failure)} />
          <a href={job}>{name}</a>
          <span class={failure.allow_failure ? styles['excused'] : styles['reason']}>
            {failureWords(reason)}
            {code !== null && `, exit code ${code}`}
          </span>
          {failure.step && (
            <span class={styles['quiet']}>
              line {failure.step.line} of {failure.step.of}: <code>{failure.step.text}</code>
            </span>
          )}
          {failure.allow_failure && <Badge tone="warning">may fail</Badge>}
          {recent.of > 1 && (
            <Badge>
              failed {recent.failed} of the last {recent.of}
            </Badge>
          )}
        </>
      }
      actions={
        <>
          <LinkButton size="small" href={failing === null ? job : `${job}#L${failing}`}>
            Open the log
          </LinkButton>
          <Retry project={project} pipeline={pipeline.id} job={id} name={name} />
        </>
      }
    >
      <div class={styles['content']}>
        {first !== null && (
          <LogExcerpt
            label={failing === null ? `Log of ${name}` : `Log of ${name} around line ${failing}`}
            lines={lines}
            style={failure.style}
            firstLine={first}
            markedLine={failing ?? undefined}
            fileAddress={fileAddressAt(project, pipeline.sha)}
          />
        )}
        {failure.missing_bytes > 0 && (
          <p class={styles['reason']}>
            The log is damaged: its last {failure.missing_bytes} bytes are missing.
          </p>
        )}
        {failure.failed_tests.length > 0 && (
          <ul class={styles['tests']} aria-label={`Failed tests of ${name}`}>
            {failure.failed_tests.map((test) => (
              <li key={test.digest}>
                <StatusIcon status="failed" size={14} />
                <a href={addressOf('tests/case', { project, case: test.digest })}>{test.name}</a>
                {test.classname !== '' && <span class={styles['quiet']}>{test.classname}</span>}
                {test.message !== null && (
                  <code class={styles['message']}>
                    <MarkedText text={test.message} />
                  </code>
                )}
              </li>
            ))}
            {failure.failed_tests_count > failure.failed_tests.length && (
              <li>
                <a href={addressOf('pipelines/tests', { project, id: String(pipeline.id) }, { job: id })}>
                  and {failure.failed_tests_count - failure.failed_tests.length} more
                </a>
              </li>
            )}
          </ul>
        )}
      </div>
    </Panel>
  )
}

function Retry({
  project,
  pipeline,
  job,
  name,
}: {
  project: string
  pipeline: number
  job: number
  name: string
}) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const retry = useAction(async () => {
    await requestJson(`${projectApi(project)}/jobs/${job}/retry`, { method: 'POST' })
    notify(`${name} was retried`)
    await refresh(`${projectApi(project)}/pipelines/${pipeline}`)
  }, notifyError)
  if (!may('run_pipelines')) return null
  return (
    <Button
      size="small"
      icon={RotateCcw}
      aria-label={`Retry ${name}`}
      isBusy={retry.isBusy}
      reason={reasonAgainst('run_pipelines')}
      onClick={() => void retry.run()}
    >
      Retry
    </Button>
  )
}
