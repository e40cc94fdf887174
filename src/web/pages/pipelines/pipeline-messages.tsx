import { SquarePen } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import type { Pipeline } from '../../../coordinator/ci/pipelines/schema.js'
import { Alert } from '../../kit/alert.js'
import { LinkButton } from '../../kit/button.js'
import styles from './pipeline-layout.module.css'

/** Errors and warnings of the CI file, and why the pipeline failed or was canceled by the server. */
export function PipelineMessages({ pipeline, project }: { pipeline: Pipeline; project: string }) {
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

function reasonText(reason: string): string {
  return `The pipeline has failed: ${reason.replaceAll('_', ' ')}.`
}
