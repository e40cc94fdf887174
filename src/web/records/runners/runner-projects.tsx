import { X } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../addresses/first-reads.js'
import type { RunnerDetails, RunnerProject } from '../../../coordinator/ci/runners/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { Button, IconButton } from '../../kit/button.js'
import { Input } from '../../kit/field.js'
import { Panel } from '../../kit/panel.js'
import { Table } from '../../kit/table.js'
import styles from './runner-view.module.css'

/** The projects whose jobs a project runner takes. */
export function RunnerProjects({ runner }: { runner: RunnerDetails }) {
  const [path, setPath] = useState('')
  const reload = () => refresh(`/runners/${runner.id}`)
  const add = useAction(async () => {
    const body = { runner_id: runner.id }
    await requestJson(`${projectApi(path.trim())}/runners`, { method: 'POST', body })
    notify(`The runner takes jobs of ${path.trim()}`)
    setPath('')
    await reload()
  })
  const remove = useAction(async (project: RunnerProject) => {
    await requestJson(`${projectApi(project.id)}/runners/${runner.id}`, { method: 'DELETE' })
    notify(`The runner takes no more jobs of ${project.path_with_namespace}`)
    await reload()
  }, notifyError)
  const [first] = runner.projects
  return (
    <Panel isFlush title="Projects">
      <Table<RunnerProject>
        label="Projects"
        rows={runner.projects}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Project',
            isMain: true,
            cell: ({ path_with_namespace: address }) => <a href={`/${address}`}>{address}</a>,
          },
          {
            title: 'Actions',
            hidesTitle: true,
            cell: (project) => (
              <span class={styles['actions']}>
                <IconButton
                  size="small"
                  icon={X}
                  label={`Disable in ${project.path_with_namespace}`}
                  isBusy={remove.isBusy}
                  reason={
                    project === first ? 'The runner belongs to this project: delete the runner.' : undefined
                  }
                  onClick={() => void remove.run(project)}
                />
              </span>
            ),
          },
        ]}
      />
      <form
        class={styles['add']}
        onSubmit={(event) => {
          event.preventDefault()
          void add.run()
        }}
      >
        <Input
          label="Path of another project"
          placeholder="group/project"
          value={path}
          onInput={(value) => {
            add.clear()
            setPath(value)
          }}
          error={add.error?.message}
          help={runner.locked ? 'The runner is locked: unlock it in its settings first.' : undefined}
          disabled={runner.locked}
          spellcheck={false}
          required
        />
        <Button
          type="submit"
          isBusy={add.isBusy}
          reason={runner.locked ? 'The runner is locked.' : undefined}
        >
          Enable
        </Button>
      </form>
    </Panel>
  )
}
