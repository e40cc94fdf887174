import { useState } from 'preact/hooks'

import type { RunnerSummary } from '../../../coordinator/ci/runners/schema.js'
import { boot } from '../../api/boot.js'
import { useRead } from '../../api/use-read.js'
import { Alert } from '../../kit/alert.js'
import { CodeBlock } from '../../kit/code-block.js'
import { Select } from '../../kit/field.js'
import { Time } from '../../kit/time.js'

export interface CreatedRunner {
  id: number
  token: string
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

/** The commands that register a runner, with its token. */
export function RegisterCommands({ runner: { token } }: { runner: CreatedRunner }) {
  const [kind, setKind] = useState('switchyard')
  return (
    <>
      <p>Run this on the build machine. The token is not shown again.</p>
      <Select label="Program" value={kind} onInput={setKind} choices={KINDS} />
      <CodeBlock text={registerCommands(kind, token)} label="command" />
    </>
  )
}

/** Whether a new runner has connected. */
export function Connection({ runner: { id } }: { runner: CreatedRunner }) {
  const { data } = useRead<RunnerSummary & { contacted_at: string | null }>(`/runners/${id}`, {
    refetchInterval: 2000,
  })
  if (data?.status !== 'online') return <p role="status">Waiting for the runner to connect…</p>
  return (
    <Alert title="The runner has connected.">
      From {data.ip_address}, <Time value={data.contacted_at} />.
    </Alert>
  )
}
