import type { ComponentProps } from 'preact'

import { ActionForm } from '../../kit/action-form.js'
import styles from './pipeline-form.module.css'
import { PreviewPanel } from './preview-panel.js'
import type { Preview } from './use-preview.js'

interface PipelineFormProps extends Omit<ComponentProps<typeof ActionForm>, 'class'> {
  preview: Preview
}

/** The form of a pipeline, beside the jobs that it would have. */
export function PipelineForm({ preview, ...form }: PipelineFormProps) {
  return (
    <div class={styles['columns']}>
      <ActionForm {...form} class={styles['form']} />
      <PreviewPanel of={preview} />
    </div>
  )
}
