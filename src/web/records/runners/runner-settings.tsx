import { useState } from 'preact/hooks'

import type { RunnerDetails } from '../../../coordinator/ci/runners/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notify } from '../../frame/notices.js'
import { ActionForm } from '../../kit/action-form.js'
import { Button } from '../../kit/button.js'
import { CheckBox, Input, TextArea } from '../../kit/field.js'
import { Panel } from '../../kit/panel.js'
import { RunnerFields } from './runner-fields.js'
import styles from './runner-view.module.css'

/** What decides which jobs a runner takes. */
export function RunnerSettings({ runner }: { runner: RunnerDetails }) {
  const [description, setDescription] = useState(runner.description ?? '')
  const [tags, setTags] = useState(runner.tag_list.join(', '))
  const [untagged, setUntagged] = useState(runner.run_untagged)
  const [isProtected, setProtected] = useState(runner.access_level === 'ref_protected')
  const [locked, setLocked] = useState(runner.locked)
  const [timeout, setTimeout] = useState(String(runner.maximum_timeout ?? ''))
  const [weight, setWeight] = useState(String(runner.weight))
  const [note, setNote] = useState(runner.maintenance_note ?? '')
  const save = useAction(async () => {
    await requestJson(`/runners/${runner.id}`, {
      method: 'PUT',
      body: {
        description,
        tag_list: tags
          .split(',')
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ''),
        run_untagged: untagged,
        access_level: isProtected ? 'ref_protected' : 'not_protected',
        locked,
        maximum_timeout: timeout === '' ? null : Number(timeout),
        weight: Number(weight),
        maintenance_note: note,
      },
    })
    notify('The settings were saved')
    await refresh(`/runners/${runner.id}`, '/runners/all')
  })
  return (
    <Panel title="Settings">
      <ActionForm action={save} class={styles['form']}>
        <RunnerFields description={description} onDescription={setDescription} tags={tags} onTags={setTags} />
        <CheckBox
          label="Runs jobs without tags"
          help="A runner without tags must run them."
          checked={untagged}
          onInput={setUntagged}
        />
        <CheckBox
          label="Protected"
          help="Runs only jobs of protected branches and tags."
          checked={isProtected}
          onInput={setProtected}
        />
        {runner.runner_type === 'project_type' && (
          <CheckBox
            label="Locked to its projects"
            help="The runner cannot be enabled in other projects."
            checked={locked}
            onInput={setLocked}
          />
        )}
        <div class={styles['row']}>
          <Input
            label="Maximum job timeout, in seconds"
            type="number"
            min={600}
            value={timeout}
            onInput={setTimeout}
            help="At least 600. Empty for the timeout of the job."
          />
          <Input
            label="Weight"
            type="number"
            min={-100}
            max={100}
            value={weight}
            onInput={setWeight}
            help="Of several runners that wait, the one with the highest weight gets the job."
            required
          />
        </div>
        <TextArea
          label="Maintenance note"
          value={note}
          onInput={setNote}
          rows={3}
          help="Shown on this page to those who manage the runner."
        />
        <div>
          <Button kind="primary" type="submit" isBusy={save.isBusy}>
            Save changes
          </Button>
        </div>
      </ActionForm>
    </Panel>
  )
}
