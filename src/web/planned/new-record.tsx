import type { ComponentChildren } from 'preact'

import { ActionForm } from '../kit/action-form.js'
import { Box } from '../kit/panel.js'
import styles from './new-record.module.css'

interface NewRecordProps {
  action: Parameters<typeof ActionForm>[0]['action']
  /** What is planned for it; not for everybody. */
  side: ComponentChildren
  children: ComponentChildren
}

/** The form for a new issue or merge request, with its properties beside it. */
export function NewRecord({ action, side, children }: NewRecordProps) {
  return (
    <ActionForm action={action} class={styles['columns']}>
      <Box class={styles['main']}>{children}</Box>
      {side !== false && (
        <aside class={styles['side']} aria-label="Properties">
          {side}
        </aside>
      )}
    </ActionForm>
  )
}
