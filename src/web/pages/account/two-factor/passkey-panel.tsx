import { KeyRound } from 'lucide'
import { useState } from 'preact/hooks'

import type {
  NewPasskeyRecord,
  PasskeyRecord,
  TwoFactorRecord,
} from '../../../../coordinator/accounts/two-factor/schema.js'
import { requestJson } from '../../../api/client.js'
import { createPasskey } from '../../../api/passkeys.js'
import { useAction } from '../../../api/use-action.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Button } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { Input } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Panel } from '../../../kit/panel.js'
import { type Column, Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'

const PATH = '/user/two_factor/passkeys'

interface PasskeyPanelProps {
  factors: TwoFactorRecord
  /** Called after a change, with new recovery codes if there are some. */
  onChanged: (codes?: readonly string[] | null) => Promise<void>
}

/** The passkeys of the user. */
export function PasskeyPanel({
  factors: { passkeys, offers_passkeys: isOffered },
  onChanged,
}: PasskeyPanelProps) {
  const [isAdding, setAdding] = useState(false)
  const remove = useAction(async (id: number) => {
    await requestJson(`${PATH}/${id}`, { method: 'DELETE' })
    notify('The passkey was removed')
    await onChanged()
  }, notifyError)
  const columns: Column<PasskeyRecord>[] = [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Added', cell: ({ created_at: created }) => <Time value={created} /> },
    {
      title: 'Last used',
      cell: ({ last_used_at: used }) => (used === null ? 'never' : <Time value={used} />),
    },
    {
      title: 'Actions',
      hidesTitle: true,
      cell: ({ id, name }) => (
        <Button
          size="small"
          kind="danger"
          aria-label={`Remove ${name}`}
          isBusy={remove.isBusy}
          onClick={() => void remove.run(id)}
        >
          Remove
        </Button>
      ),
    },
  ]
  if (!isOffered && passkeys.length === 0) return null
  return (
    <Panel
      title="Passkeys"
      isFlush
      actions={isOffered && <Button onClick={() => setAdding(true)}>Add passkey</Button>}
    >
      {passkeys.length === 0 ? (
        <Empty icon={KeyRound} title="There is no passkey yet.">
          A passkey on a device or a security key signs you in with a finger, a face or a PIN.
        </Empty>
      ) : (
        <Table<PasskeyRecord> label="Passkeys" rows={passkeys} keyOf={({ id }) => id} columns={columns} />
      )}
      {isAdding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={async (codes) => {
            setAdding(false)
            notify('The passkey was added')
            await onChanged(codes)
          }}
        />
      )}
    </Panel>
  )
}

interface AddDialogProps {
  onClose: () => void
  onAdded: (codes: NewPasskeyRecord['recovery_codes']) => Promise<void>
}

function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const [name, setName] = useState('')
  const add = useAction(async () => {
    const credential = await createPasskey(`${PATH}/options`)
    const body = { name, credential }
    const added = await requestJson<NewPasskeyRecord>(PATH, { method: 'POST', body })
    await onAdded(added.recovery_codes)
  })
  return (
    <FormDialog
      title="Add a passkey"
      action="Add passkey"
      isBusy={add.isBusy}
      error={add.error}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <Input label="Name" value={name} onInput={setName} help="Such as the device that keeps it." required />
    </FormDialog>
  )
}
