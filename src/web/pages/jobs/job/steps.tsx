import type { JobStepRecord } from '../../../../coordinator/ci/failures/schema.js'
import { useRead } from '../../../api/use-read.js'
import type { ShownJob } from '../../../job-log/use-job.js'
import { formatDuration } from '../../../kit/durations.js'
import { StatusIcon } from '../../../kit/status.js'
import { MarkedText } from '../../../text/marked-text.js'
import styles from './steps.module.css'

/** How the lines of the scripts of a failed job ended, if its runner has reported that. */
export function Steps({ job, base }: { job: ShownJob; base: string }) {
  const hasLog = job.kind === 'job' && job.started_at !== null && job.erased_at === null
  const isWanted = job.status === 'failed' && hasLog
  const steps = useRead<JobStepRecord[]>(isWanted ? `${base}/steps` : undefined).data ?? []
  const failed = steps.find((step) => step.failed)
  if (!failed) return null
  return (
    <div class={styles['steps']}>
      <p>
        <span class={styles['failed']}>
          Failed at line {failed.line} of {failed.of}
          {failed.section === 'after_script' && ' of after_script'}:
        </span>{' '}
        <LogLink step={failed} />
        {failed.duration !== null && <span class={styles['quiet']}>{formatDuration(failed.duration)}</span>}
      </p>
      <details>
        <summary>All lines of the scripts</summary>
        <ol class={styles['list']} aria-label="Lines of the scripts">
          {steps.map((step) => (
            <li key={`${step.section}-${step.line}`} aria-current={step.failed ? 'step' : undefined}>
              <StepIcon step={step} />
              <LogLink step={step} />
              <span class={styles['quiet']}>
                {step.exit_code !== null && step.exit_code !== 0 && `exit code ${step.exit_code} `}
                {step.duration === null ? 'not run' : formatDuration(step.duration)}
              </span>
            </li>
          ))}
        </ol>
      </details>
    </div>
  )
}

function StepIcon({ step }: { step: JobStepRecord }) {
  const status = step.started_at === null ? 'skipped' : step.exit_code === 0 ? 'success' : 'failed'
  return <StatusIcon status={status} size={14} />
}

/** The line of the script, which leads to the line of the log that shows it. */
function LogLink({ step: { text, log_line: line } }: { step: JobStepRecord }) {
  const code = (
    <code class={styles['text']}>
      <MarkedText text={text} />
    </code>
  )
  return line === null ? code : <a href={`#L${line}`}>{code}</a>
}
