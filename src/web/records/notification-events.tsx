import { useState } from 'preact/hooks'

import type { EventName } from '../../coordinator/accounts/notification-settings/schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh } from '../api/use-read.js'
import { CheckBox, FieldGroup } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'
import styles from './notification-events.module.css'

const GROUPS: readonly (readonly [legend: string, names: Partial<Record<EventName, string>>])[] = [
  [
    'Issues',
    {
      new_issue: 'New issue',
      reassign_issue: 'Assigned',
      issue_due: 'Due tomorrow',
      close_issue: 'Closed',
      reopen_issue: 'Reopened',
    },
  ],
  [
    'Merge requests',
    {
      new_merge_request: 'New merge request',
      push_to_merge_request: 'New commits',
      reassign_merge_request: 'Assigned',
      change_reviewer_merge_request: 'Review requested',
      approver: 'Approved',
      merge_when_pipeline_succeeds: 'To be merged when the pipeline succeeds',
      merge_merge_request: 'Merged',
      close_merge_request: 'Closed',
      reopen_merge_request: 'Reopened',
    },
  ],
  [
    'Pipelines',
    {
      failed_pipeline: 'Failed',
      fixed_pipeline: 'Passed again',
      success_pipeline: 'Passed',
    },
  ],
  [
    'Others',
    {
      new_note: 'New comment',
      new_epic: 'New epic',
      new_release: 'New release',
      moved_project: 'Project moved',
    },
  ],
]

/** Settings as the API has them; `events` only with the level `custom`. */
export interface NotificationSettings {
  level: string
  events?: Readonly<Record<string, boolean>>
}

interface NotificationEventsProps {
  /** Path of the settings in the API. */
  path: string
  settings: NotificationSettings
  onClose: () => void
}

/** Chooses the events of the level `custom`. */
export function NotificationEvents({ path, settings, onClose }: NotificationEventsProps) {
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>(settings.events ?? {})
  const saving = useAction(async () => {
    await requestJson(path, { method: 'PUT', body: { level: 'custom', ...chosen } })
    await refresh(path)
    onClose()
  })
  return (
    <FormDialog
      title="Mails about these events"
      action="Save changes"
      isBusy={saving.isBusy}
      error={saving.error}
      onSubmit={() => void saving.run()}
      onClose={onClose}
    >
      <p>You also get mails about threads in which you take part.</p>
      <div class={styles['groups']}>
        {GROUPS.map(([legend, names]) => (
          <FieldGroup key={legend} legend={legend}>
            {Object.entries(names).map(([name, label]) => (
              <CheckBox
                key={name}
                label={label}
                checked={chosen[name] ?? false}
                onInput={(checked) => setChosen({ ...chosen, [name]: checked })}
              />
            ))}
          </FieldGroup>
        ))}
      </div>
    </FormDialog>
  )
}
