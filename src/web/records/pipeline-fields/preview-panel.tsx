import { Server } from 'lucide'

import type { PipelinePreview } from '../../../coordinator/ci/lint/preview-schema.js'
import { Alert } from '../../kit/alert.js'
import { Badge } from '../../kit/badge.js'
import { Icon } from '../../kit/icon.js'
import { Panel } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import styles from './fields.module.css'
import type { Preview } from './use-preview.js'

/** The jobs that a pipeline would have, by stage, or why it would not be created. */
export function PreviewPanel({ of: { preview, error, isStale } }: { of: Preview }) {
  const jobs = preview?.jobs ?? []
  return (
    <Panel title={jobs.length === 0 ? 'Jobs that would run' : `Jobs that would run (${jobs.length})`}>
      <div class={styles['stages']} aria-busy={isStale}>
        {error && (
          <Alert tone="error">
            {error.status === 404 ? 'There is no branch or tag with this name.' : error.message}
          </Alert>
        )}
        {!error && preview && (
          <>
            {preview.errors.map((problem) => (
              <Alert key={problem} tone={preview.inputs.length > 0 ? 'warning' : 'error'}>
                {problem}
              </Alert>
            ))}
            {preview.warnings.map((warning) => (
              <Alert key={warning} tone="warning">
                {warning}
              </Alert>
            ))}
            {stagesOf(jobs).map(({ stage, jobs: those }) => (
              <section key={stage}>
                <h3>{stage}</h3>
                <ul class={styles['jobs']}>
                  {those.map(({ name, when, allow_failure: mayFail, environment }) => (
                    <li key={name}>
                      <span>{name}</span>
                      {when !== 'on_success' && <Badge>{when.replaceAll('_', ' ')}</Badge>}
                      {mayFail && when !== 'manual' && <Badge>may fail</Badge>}
                      {environment !== null && (
                        <span class={styles['quiet']}>
                          <Icon icon={Server} size={13} label="Environment" /> {environment}
                        </span>
                      )}
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </>
        )}
        {!error && !preview && <Skeleton rows={4} />}
      </div>
    </Panel>
  )
}

type Jobs = PipelinePreview['jobs']

function stagesOf(jobs: Jobs): { stage: string; jobs: Jobs }[] {
  const stages = new Map<string, Jobs>()
  for (const job of jobs) stages.set(job.stage, [...(stages.get(job.stage) ?? []), job])
  return [...stages].map(([stage, those]) => ({ stage, jobs: those }))
}
