import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { Connection, type CreatedRunner, RegisterCommands } from '../../../records/runners/registration.js'

/** Creates a runner of the instance, shows how to register it, and when it has connected. */
export function RunnerStep() {
  const [runner, setRunner] = useState<CreatedRunner>()
  const create = useAction(async () => {
    const body = { runner_type: 'instance_type', description: 'first runner', run_untagged: true }
    setRunner(await requestJson<CreatedRunner>('/user/runners', { method: 'POST', body }))
  })
  if (runner) {
    return (
      <>
        <RegisterCommands runner={runner} />
        <Connection runner={runner} />
      </>
    )
  }
  return (
    <>
      {create.error && <Alert tone="error" title={create.error.message} />}
      <div>
        <Button kind="primary" isBusy={create.isBusy} onClick={() => void create.run()}>
          Create a runner
        </Button>
      </div>
      <p>
        It serves all projects. <a href={addressOf('admin/runners', {})}>Runners</a> lists them.
      </p>
    </>
  )
}
