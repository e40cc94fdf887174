import { useState } from 'preact/hooks'

import type { RunnerSummary } from '../../../coordinator/ci/runners/schema.js'
import { boot } from '../../api/boot.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { Alert } from '../../kit/alert.js'
import { Button } from '../../kit/button.js'
import { CodeBlock } from '../../kit/code-block.js'
import { Dialog } from '../../kit/dialog.js'
import { CheckBox, Select } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { Time } from '../../kit/time.js'
import { RunnerFields } from './runner-fields.js'
import { newRunnerParams, runnersApi, type RunnerScope } from './runner-scope.js'

interface CreatedRunner {
  id: number
  token: string
}

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

const KINDS = [
  { value: 'switchyard', label: 'Switchyard runner' },
  { value: 'systemd', label: 'Switchyard runner as a systemd service' },
  { value: 'gitlab', label: 'GitLab Runner' },
  { value: 'docker', label: 'Switchyard runner in Docker' },
]

function registerCommands(kind: string, token: string): string {
  const where = `--non-interactive --url ${boot.external_url} --token ${token}`
  const executor = '--executor docker --docker-image alpine:3.20'
  switch (kind) {
    case 'gitlab':
      return `gitlab-runner register ${where} \\\n    ${executor}\nsudo systemctl restart gitlab-runner`
    case 'docker':
      return `docker run --rm --user root --volume switchyard-runner:/var/lib/switchyard-runner switchyard \\
    runner register ${where} \\
    ${executor}
docker run --detach --user root --stop-signal SIGQUIT --stop-timeout 3600 \\
    --volume /var/run/docker.sock:/var/run/docker.sock \\
    --volume switchyard-runner:/var/lib/switchyard-runner switchyard runner run`
    case 'systemd':
      return `sudo switchyard runner register ${where} \\\n    ${executor}\nsudo systemctl enable --now switchyard-runner`
    default:
      return `switchyard runner register ${where} \\\n    ${executor}\nswitchyard runner run`
  }
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
  const [kind, setKind] = useState('switchyard')
  const { data } = useRead<RunnerSummary & { contacted_at: string | null }>(`/runners/${runner.id}`, {
    refetchInterval: 2000,
  })
  return (
    <Dialog
      title={isRotated ? 'New token' : 'Register the runner'}
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {isRotated && <CodeBlock text={runner.token} label="token" />}
      <p>Run this on the build machine. The token is not shown again.</p>
      <Select label="Program" value={kind} onInput={setKind} choices={KINDS} />
      <CodeBlock text={registerCommands(kind, runner.token)} label="command" />
      {isRotated ? null : data?.status === 'online' ? (
        <Alert title="The runner has connected.">
          From {data.ip_address}, <Time value={data.contacted_at} />.
        </Alert>
      ) : (
        <p role="status">Waiting for the runner to connect…</p>
      )}
    </Dialog>
  )
}
