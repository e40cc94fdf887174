import { ChevronDown, ChevronRight } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import type { ListedTestCase } from '../../coordinator/ci/pipelines/test-case-schema.js'
import type { CaseHistory } from '../../coordinator/ci/test-cases/schema.js'
import { useRead } from '../api/use-read.js'
import { Badge } from '../kit/badge.js'
import { formatDuration } from '../kit/durations.js'
import { Icon } from '../kit/icon.js'
import { StatusIcon } from '../kit/status.js'
import { MarkedText } from '../text/marked-text.js'
import styles from './test-cases.module.css'

interface TestCasesProps {
  label: string
  project: string
  /** The commit that was tested. */
  sha: string
  cases: readonly ListedTestCase[]
  areOpenAtFirst?: boolean
}

/** Tests of a pipeline. Each opens to show its output, and how often it failed lately. */
export function TestCases({ label, cases, areOpenAtFirst = false, ...rest }: TestCasesProps) {
  return (
    <ul class={styles['cases']} aria-label={label}>
      {cases.map((testCase, index) => (
        // A report may have tests with one name.
        <TestCase
          key={`${testCase.job_id} ${testCase.digest} ${index}`}
          {...rest}
          testCase={testCase}
          isOpenAtFirst={areOpenAtFirst}
        />
      ))}
    </ul>
  )
}

interface TestCaseProps extends Pick<TestCasesProps, 'project' | 'sha'> {
  testCase: ListedTestCase
  isOpenAtFirst: boolean
}

function TestCase({ project, sha, testCase, isOpenAtFirst }: TestCaseProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const { name, classname, suite, status, execution_time: seconds, flaky, recent_failures: recent } = testCase
  return (
    <li class={styles['case']}>
      <button
        type="button"
        class={styles['head']}
        aria-expanded={isOpen}
        data-entry=""
        onClick={() => setOpen(!isOpen)}
      >
        <StatusIcon
          status={status === 'error' ? 'failed' : status}
          label={status === 'error' ? 'error' : undefined}
        />
        <span>
          <span class={styles['name']}>{name}</span>
          <span class={styles['where']}>
            {suite}
            {classname !== '' && ` · ${classname}`}
          </span>
        </span>
        <span class={styles['badges']}>
          {flaky && (
            <Badge tone="warning" title="It passed in another run of the same job and commit.">
              flaky
            </Badge>
          )}
          {recent && recent.count > 0 && (
            <Badge>
              failed {recent.count === 1 ? 'once' : `${recent.count} times`} on {recent.base_branch} in 14
              days
            </Badge>
          )}
        </span>
        <span class={styles['time']}>{formatDuration(seconds)}</span>
        <Icon icon={isOpen ? ChevronDown : ChevronRight} size={14} />
      </button>
      {isOpen && <Body project={project} sha={sha} testCase={testCase} />}
    </li>
  )
}

function Body({ project, sha, testCase }: Omit<TestCaseProps, 'isOpenAtFirst'>) {
  const { name, status, file, job_id: job, system_output: output, attachment_url: picture } = testCase
  const hasFailed = status === 'failed' || status === 'error'
  return (
    <div class={styles['body']}>
      {output === null ? (
        hasFailed && <p>The report has no output of this test.</p>
      ) : (
        // It scrolls, so the keyboard must reach it.
        <pre class={styles['output']} tabIndex={0} role="region" aria-label={`Output of ${name}`}>
          <MarkedText text={output} />
        </pre>
      )}
      {picture !== null && (
        <img class={styles['picture']} src={new URL(picture).pathname} alt={`Screenshot of ${name}`} />
      )}
      <div class={styles['links']}>
        {(hasFailed || testCase.recent_failures) && <History project={project} digest={testCase.digest} />}
        <a href={addressOf('jobs/job', { project, id: String(job) })}>Job #{job}</a>
        {file !== null && <FileLink project={project} sha={sha} file={file} />}
      </div>
    </div>
  )
}

function History({ project, digest }: { project: string; digest: string }) {
  // Without a history, as after 1,000 failures in one report, there is nothing to say.
  const { data } = useRead<CaseHistory>(`${projectApi(project)}/test_cases/${digest}`)
  if (!data) return null
  const { failed_runs: failed, runs, branch } = data
  return (
    <a href={addressOf('tests/case', { project, case: digest })}>
      {runs.length === 0
        ? 'History'
        : `Failed ${failed} of the last ${runs.length} ${runs.length === 1 ? 'run' : 'runs'} on ${branch}`}
    </a>
  )
}

function FileLink({ project, sha, file }: { project: string; sha: string; file: string }) {
  const path = file.replace(/^\.\//, '')
  // Reports may name files by their place on the machine of the runner.
  if (path.startsWith('/') || path.includes('..')) return <span>{file}</span>
  return <a href={addressOf('code/file', { project, ref_path: `${sha}/${path}` })}>{file}</a>
}
