import { CircleX } from 'lucide'
import { useMemo } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { type Failure, failureOf } from '../../../api/failure.js'
import { refresh, useRead, useRefetchOn } from '../../../api/use-read.js'
import type { DiffEntry } from '../../../code/diff-files.js'
import type { LineNotes } from '../../../code/line-notes.js'
import { positionKey } from '../../../code/line-positions.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Icon } from '../../../kit/icon.js'
import { MarkedText } from '../../../text/marked-text.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'
import { type FailedCase, failedLines } from './failed-lines.js'
import styles from './failed-tests.module.css'

/** Lines of the output of a test that are shown. */
const MAX_LINES = 12

/**
 * Shows the failed tests of the head pipeline at the lines that they name, above other notes.
 * @param head the commit whose changes are shown; another one than that of the merge request shows none
 */
export function useFailedTests(
  { project, request }: ShownMergeRequest,
  head: string | undefined,
  entries: readonly DiffEntry[],
  notes: LineNotes,
): { notes: LineNotes; failure: Failure | undefined } {
  const { may } = useProjectAbilities(project)
  const { head_pipeline: pipeline } = request
  const isRead =
    pipeline?.project_id === request.target_project_id && head === request.sha && may('read_pipelines')
  const path = isRead ? `${projectApi(project)}/pipelines/${pipeline.id}/test_cases` : undefined
  const pathOf = (status: string) => path && `${path}${queryOf({ status, per_page: 50 })}`
  const failed = useRead<FailedCase[]>(pathOf('failed'))
  const errors = useRead<FailedCase[]>(pathOf('error'))
  useRefetchOn(pipeline?.status, { refetch: () => path && refresh(path) })
  const lines = useMemo(
    () => failedLines([...(failed.data ?? []), ...(errors.data ?? [])], entries),
    [failed.data, errors.data, entries],
  )
  const failure = failureOf(failed) ?? failureOf(errors)
  if (lines.length === 0) return { notes, failure }
  const withTests: LineNotes = {
    ...notes,
    isShown: true,
    below: (position) => {
      const key = positionKey(position)
      const here = lines.filter((line) => positionKey(line.position) === key)
      const below = notes.below(position)
      if (here.length === 0) return below
      return (
        <>
          {here.map(({ test }) => (
            <FailedTest key={`${test.digest} ${test.job_id}`} project={project} test={test} />
          ))}
          {below}
        </>
      )
    },
  }
  return { notes: withTests, failure }
}

function FailedTest({ project, test }: { project: string; test: FailedCase }) {
  const { name, suite, job_id: job, system_output: output } = test
  return (
    <section class={styles['test']} aria-label={`Failed test: ${name}`}>
      <header class={styles['head']}>
        <Icon icon={CircleX} size={16} />
        <strong>
          <MarkedText text={name} />
        </strong>
        <a href={addressOf('jobs/job', { project, id: String(job) })}>{suite}</a>
      </header>
      {output !== null && (
        <pre class={styles['output']}>
          <MarkedText text={output.split('\n').slice(0, MAX_LINES).join('\n')} />
        </pre>
      )}
    </section>
  )
}
