import { useMemo, useRef, useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { Schedule, ScheduleVariable } from '../../../coordinator/ci/schedules/schema.js'
import { requestJson } from '../../api/client.js'
import { fieldErrors } from '../../api/error-message.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { navigate } from '../../frame/location.js'
import { notify } from '../../frame/notices.js'
import { Button, LinkButton } from '../../kit/button.js'
import { Combobox } from '../../kit/combobox.js'
import { CheckBox, Input } from '../../kit/field.js'
import { InputFields } from '../../records/pipeline-fields/input-fields.js'
import { PipelineForm } from '../../records/pipeline-fields/pipeline-form.js'
import { RefField } from '../../records/pipeline-fields/ref-field.js'
import { usePreview } from '../../records/pipeline-fields/use-preview.js'
import { VariableFields } from '../../records/pipeline-fields/variable-fields.js'
import { inputText } from '../../records/pipeline-fields/variables-text.js'
import { CronField } from './cron-field.js'
import { refName } from './ref-name.js'
import { inputChanges, variableChanges } from './schedule-changes.js'
import styles from './schedule-form.module.css'

interface ScheduleFormProps {
  project: string
  /** The schedule to change; without it, one is created. */
  schedule?: Schedule
  defaultBranch: string
  reason: string | undefined
}

/** Creates or changes a schedule, beside the jobs that it would run. */
export function ScheduleForm({ project, schedule, defaultBranch, reason }: ScheduleFormProps) {
  const [description, setDescription] = useState(schedule?.description ?? '')
  const [cron, setCron] = useState(schedule?.cron ?? '0 4 * * *')
  const [zone, setZone] = useState(schedule?.cron_timezone ?? ownZone())
  const [ref, setRef] = useState(schedule ? refName(schedule.ref).name : defaultBranch)
  const [active, setActive] = useState(schedule?.active ?? true)
  const [variables, setVariables] = useState<readonly ScheduleVariable[]>(schedule?.variables ?? [])
  const [inputs, setInputs] = useState<Record<string, string>>(() => inputTexts(schedule))
  /** What the server has, after a save that failed halfway too. */
  const saved = useRef<Schedule | undefined>(schedule)
  const given = variables.filter(({ key }) => key !== '')
  const preview = usePreview(project, { ref, source: 'schedule', inputs, variables: given })
  const offered = preview.preview?.inputs ?? []
  const base = `${projectApi(project)}/pipeline_schedules`
  const save = useAction(async () => {
    const before = saved.current
    const body = {
      description,
      ref: schedule && refName(schedule.ref).name === ref ? schedule.ref : ref,
      cron,
      cron_timezone: zone,
      active,
      inputs: inputChanges(
        before?.inputs ?? [],
        inputs,
        offered.map(({ name }) => name),
      ),
    }
    const now = await requestJson<Schedule>(before ? `${base}/${before.id}` : base, {
      method: before ? 'PUT' : 'POST',
      body,
    })
    saved.current = now
    for (const { method, key, body: variable } of variableChanges(now.variables ?? [], given)) {
      const path = `${base}/${now.id}/variables`
      await requestJson(method === 'POST' ? path : `${path}/${encodeURIComponent(key)}`, {
        method,
        ...(variable && { body: variable }),
      })
    }
    await refresh(base)
    notify(`${description} was saved`)
    navigate(addressOf('schedules/list', { project }))
  })
  const errors = fieldErrors(save.error?.body)
  const other = Object.keys(errors).filter(
    (field) => !['cron', 'cron_timezone', 'description'].includes(field),
  )
  return (
    <PipelineForm
      action={save}
      preview={preview}
      showsError={Object.keys(errors).length === 0 || other.length > 0}
    >
      <Input
        label="Description"
        value={description}
        onInput={setDescription}
        required
        autoComplete="off"
        placeholder="Nightly tests"
        error={errors['description']}
      />
      <CronField cron={cron} zone={zone} onInput={setCron} error={errors['cron']} />
      <ZoneField zone={zone} onChoose={setZone} error={errors['cron_timezone']} />
      <RefField project={project} value={ref} onChange={setRef} />
      <InputFields offered={offered} values={inputs} onInput={setInputs} />
      {preview.preview?.may_set_variables === false && given.length === 0 ? (
        <p class={styles['quiet']}>Your role may not set variables of pipelines in this project.</p>
      ) : (
        <VariableFields
          variables={variables}
          onChange={(changed) => setVariables(changed.map((variable) => ({ raw: false, ...variable })))}
        />
      )}
      <CheckBox
        label="Active"
        help="Without it, no pipeline starts by the clock."
        checked={active}
        onInput={setActive}
      />
      <div class={styles['buttons']}>
        <Button kind="primary" type="submit" isBusy={save.isBusy} reason={reason}>
          {schedule ? 'Save changes' : 'Create schedule'}
        </Button>
        <LinkButton href={addressOf('schedules/list', { project })}>Cancel</LinkButton>
      </div>
    </PipelineForm>
  )
}

interface ZoneFieldProps {
  zone: string
  onChoose: (zone: string) => void
  error: string | undefined
}

function ZoneField({ zone, onChoose, error }: ZoneFieldProps) {
  const choices = useMemo(zoneChoices, [])
  return (
    <Combobox
      label="Time zone"
      value={zone}
      valueLabel={zone}
      choices={choices}
      none="No time zone has this name."
      error={error}
      onChoose={({ value }) => onChoose(value)}
    />
  )
}

/** The zone of the reader and UTC first. */
function zoneChoices(): { value: string; label: string }[] {
  const names = new Set([ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return [...names].map((name) => ({ value: name, label: name }))
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function inputTexts(schedule: Schedule | undefined): Record<string, string> {
  return Object.fromEntries((schedule?.inputs ?? []).map(({ name, value }) => [name, inputText(value)]))
}
