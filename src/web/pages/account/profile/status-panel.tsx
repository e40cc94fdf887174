import { useState } from 'preact/hooks'

import type { Status } from '../../../../coordinator/accounts/users/own/status-schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { notify } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { CheckBox, Input, Select } from '../../../kit/field.js'
import { Panel } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import form from '../../../records/settings-form.module.css'
import { STATUS_LIVES } from './fields.js'

const PATH = '/user/status'

/** A message beside the name of the user, for some time. */
export function StatusPanel() {
  const status = useRead<Status>(PATH)
  return (
    <Panel title="Status">
      <Read of={status}>{(present) => <StatusForm present={present} />}</Read>
    </Panel>
  )
}

function StatusForm({ present }: { present: Status }) {
  const [message, setMessage] = useState(present.message ?? '')
  const [isBusy, setBusy] = useState(present.availability === 'busy')
  const [life, setLife] = useState('')
  const save = useAction(async (body: object) => {
    await requestJson(PATH, { method: 'PUT', body })
    await refresh(PATH)
    notify('The status was saved')
  })
  const hasStatus = present.message !== null || present.availability === 'busy'
  return (
    <form
      class={form['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void save.run({
          message: message === '' ? null : message,
          emoji: message === '' ? null : present.emoji,
          availability: isBusy ? 'busy' : 'not_set',
          clear_status_after: life === '' ? null : life,
        })
      }}
    >
      {save.error && (
        <div class={form['wide']}>
          <Alert tone="error" title={save.error.message} />
        </div>
      )}
      <Input
        label="Message"
        value={message}
        onInput={setMessage}
        autoComplete="off"
        placeholder="On holiday until Monday"
      />
      <Select
        label="Clear the status"
        value={life}
        onInput={setLife}
        choices={STATUS_LIVES}
        help={
          present.clear_status_at !== null && (
            <>
              It is cleared <Time value={present.clear_status_at} />.
            </>
          )
        }
      />
      <div class={form['wide']}>
        <CheckBox label="Busy" help="Others see that you reply later." checked={isBusy} onInput={setBusy} />
      </div>
      <div class={form['buttons']}>
        <Button kind="primary" type="submit" isBusy={save.isBusy}>
          Set status
        </Button>
        {hasStatus && (
          <Button
            onClick={() => {
              setMessage('')
              setBusy(false)
              void save.run({})
            }}
          >
            Clear
          </Button>
        )}
      </div>
    </form>
  )
}
