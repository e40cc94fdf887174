import { useState } from 'preact/hooks'

import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { Button } from '../../kit/button.js'
import { CodeBlock } from '../../kit/code-block.js'
import { Dialog } from '../../kit/dialog.js'
import { CheckBox } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { Connection, type CreatedRunner, RegisterCommands } from './registration.js'
import { RunnerFields } from './runner-fields.js'
import { newRunnerParams, runnersApi, type RunnerScope } from './runner-scope.js'

/** Creates a runner, and shows how to register it. */
export function NewRunner({ scope, onClose }: { scope: RunnerScope; onClose: () => void }) {
  const [description, setDescription] = useState('')
  const [tags, setTags] = useState('')
  const [untagged, setUntagged] = useState(true)
  const [isProtected, setProtected] = useState(false)
  const [runner, setRunner] = useState<CreatedRunner>()
  const create = useAction(async () => {
    const made = await requestJson<CreatedRunner>('/user/runners', {
      method: 'POST',
      body: {
        ...newRunnerParams(scope),
        description,
        tag_list: tags,
        run_untagged: untagged,
        access_level: isProtected ? 'ref_protected' : 'not_protected',
      },
    })
    setRunner(made)
    await refresh('/runners/all', '/runners/counts', runnersApi(scope))
  })
  if (runner) return <Registration runner={runner} onClose={onClose} />
  return (
    <FormDialog
      title={`New ${scope.kind} runner`}
      action="Create runner"
      isBusy={create.isBusy}
      error={create.error}
      onSubmit={() => void create.run()}
      onClose={onClose}
    >
      <RunnerFields description={description} onDescription={setDescription} tags={tags} onTags={setTags} />
      <CheckBox label="Runs jobs without tags" checked={untagged} onInput={setUntagged} />
      <CheckBox
        label="Protected"
        help="Runs only jobs of protected branches and tags."
        checked={isProtected}
        onInput={setProtected}
      />
    </FormDialog>
  )
}

/** The command that registers a new runner; it says when the runner has connected. */
export function Registration({
  runner,
  onClose,
  isRotated = false,
}: {
  runner: CreatedRunner
  onClose: () => void
  /** The token has replaced another one. */
  isRotated?: boolean
}) {
  return (
    <Dialog
      title={isRotated ? 'New token' : 'Register the runner'}
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {isRotated && <CodeBlock text={runner.token} label="token" />}
      <RegisterCommands runner={runner} />
      {!isRotated && <Connection runner={runner} />}
    </Dialog>
  )
}
