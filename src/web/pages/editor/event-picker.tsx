import { projectApi } from '../../../addresses/first-reads.js'
import type { DryRunSource } from '../../../coordinator/ci/lint/schema.js'
import { useRead } from '../../api/use-read.js'
import { Select } from '../../kit/field.js'
import styles from './event-picker.module.css'
import type { LintEvent } from './use-lint.js'

const SOURCES: { value: DryRunSource; label: string }[] = [
  { value: 'push', label: 'Push' },
  { value: 'merge_request_event', label: 'Merge request' },
  { value: 'schedule', label: 'Schedule' },
  { value: 'web', label: 'Run pipeline' },
  { value: 'trigger', label: 'Trigger token' },
  { value: 'api', label: 'API' },
]

interface EventPickerProps {
  project: string
  /** The branch or tag whose file is edited. */
  refName: string
  event: LintEvent
  onChange: (event: LintEvent) => void
}

/** Chooses the event for which jobs are shown: what happens, and to which branch or tag. */
export function EventPicker({ project, refName, event, onChange }: EventPickerProps) {
  const base = `${projectApi(project)}/repository`
  const branches = useRead<{ name: string }[]>(`${base}/branches?sort=updated_desc&per_page=20`).data ?? []
  const tags = useRead<{ name: string }[]>(`${base}/tags?per_page=20`).data ?? []
  const names = (kind: string, refs: { name: string }[]) =>
    refs.map(({ name }) => ({ value: name, label: `${kind} ${name}` }))
  const choices = [...names('branch', branches), ...names('tag', tags)]
  const current = event.ref ?? refName
  if (!choices.some(({ value }) => value === current)) choices.unshift({ value: current, label: current })
  return (
    <div class={styles['event']} role="group" aria-label="Event">
      <span class={styles['word']}>as</span>
      <Select
        label="Event"
        hidesLabel
        value={event.source}
        choices={SOURCES}
        onInput={(source) => onChange({ ...event, source: source as DryRunSource })}
      />
      <span class={styles['word']}>on</span>
      <Select
        label="Branch or tag of the event"
        hidesLabel
        value={current}
        choices={choices}
        onInput={(ref) => onChange({ ...event, ref })}
      />
    </div>
  )
}
