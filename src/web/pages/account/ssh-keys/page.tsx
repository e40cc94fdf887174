import { Plus, Shield } from 'lucide'
import { useState } from 'preact/hooks'

import type { SshKey } from '../../../../coordinator/accounts/users/keys/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { Input, Select, TextArea } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { expiryTime } from '../../../records/expiry-field.js'

const PATH = '/user/keys'

const USAGES = [
  { value: 'auth_and_signing', label: 'Authentication and signing' },
  { value: 'auth', label: 'Authentication' },
  { value: 'signing', label: 'Signing' },
]

/** The SSH keys of the user. */
export function Page() {
  useTitle('SSH keys')
  const keys = useRead<SshKey[]>(PATH)
  const [isAdding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<SshKey>()
  const remove = useAction(async (id: number) => {
    await requestJson(`${PATH}/${id}`, { method: 'DELETE' })
    setDeleted(undefined)
    notify('The key was deleted')
    await refresh(PATH)
  }, notifyError)
  return (
    <>
      <PageHeader
        title="SSH keys"
        details="Keys with which git clones and pushes over SSH, and with which commits are signed."
        actions={
          <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
            Add key
          </Button>
        }
      />
      <Panel isFlush>
        <Read of={keys}>
          {(all) =>
            all.length === 0 ? (
              <Empty icon={Shield} title="There is no SSH key yet." />
            ) : (
              <Table<SshKey>
                label="SSH keys"
                rows={all}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Title', isMain: true, cell: ({ title }) => <strong>{title}</strong> },
                  {
                    title: 'Usage',
                    isDetail: true,
                    cell: ({ usage_type: usage }) =>
                      USAGES.find(({ value }) => value === usage)?.label ?? usage,
                  },
                  { title: 'Added', isDetail: true, cell: ({ created_at: value }) => <Time value={value} /> },
                  { title: 'Last used', cell: ({ last_used_at: value }) => <Time value={value} /> },
                  {
                    title: 'Expires',
                    cell: ({ expires_at: value }) => <Time value={value} />,
                  },
                  {
                    title: 'Actions',
                    hidesTitle: true,
                    cell: (key) => (
                      <Button size="small" kind="danger" onClick={() => setDeleted(key)}>
                        Delete
                      </Button>
                    ),
                  },
                ]}
              />
            )
          }
        </Read>
      </Panel>
      {isAdding && <NewKey onClose={() => setAdding(false)} />}
      {deleted && (
        <ConfirmDialog
          title={`Delete the key ${deleted.title}?`}
          action="Delete key"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(deleted.id)}
          onClose={() => setDeleted(undefined)}
        >
          <p>Git can no longer use it. Commits that it has signed are no longer verified.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function NewKey({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState('')
  const [title, setTitle] = useState('')
  const [usage, setUsage] = useState('auth_and_signing')
  const [expires, setExpires] = useState('')
  const add = useAction(async () => {
    const body = {
      key,
      title,
      usage_type: usage,
      ...expiryTime(expires),
    }
    await requestJson(PATH, { method: 'POST', body })
    notify('The key was added')
    await refresh(PATH)
    onClose()
  })
  const paste = (text: string) => {
    setKey(text)
    // The comment of a key mostly names its machine.
    const comment = text.trim().split(/\s+/).slice(2).join(' ')
    if (title === '' && comment !== '') setTitle(comment)
  }
  return (
    <FormDialog
      title="Add an SSH key"
      action="Add key"
      isBusy={add.isBusy}
      error={add.error}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <TextArea
        label="Public key"
        value={key}
        onInput={paste}
        required
        spellcheck={false}
        help="The content of a file such as ~/.ssh/id_ed25519.pub"
      />
      <Input label="Title" value={title} onInput={setTitle} required autoComplete="off" />
      <Select label="Usage" value={usage} onInput={setUsage} choices={USAGES} />
      <Input label="Expires on" type="date" value={expires} onInput={setExpires} />
    </FormDialog>
  )
}
