import { FileKey, Plus } from 'lucide'
import { useState } from 'preact/hooks'

import type { GpgKey } from '../../../../coordinator/accounts/users/keys/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { TextArea } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import styles from './page.module.css'

const PATH = '/user/gpg_keys'

/** The OpenPGP keys of the user. */
export function Page() {
  useTitle('GPG keys')
  const keys = useRead<GpgKey[]>(PATH)
  const [isAdding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<GpgKey>()
  const remove = useAction(async (id: number) => {
    await requestJson(`${PATH}/${id}`, { method: 'DELETE' })
    setDeleted(undefined)
    notify('The key was deleted')
    await refresh(PATH)
  }, notifyError)
  return (
    <>
      <PageHeader
        title="GPG keys"
        details="Keys with which your commits are signed."
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
              <Empty icon={FileKey} title="There is no GPG key yet." />
            ) : (
              <Table<GpgKey>
                label="GPG keys"
                rows={all}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'Fingerprint',
                    isMain: true,
                    cell: ({ fingerprint }) => (
                      <code class={styles['fingerprint']}>{inGroups(fingerprint)}</code>
                    ),
                  },
                  { title: 'Added', cell: ({ created_at: value }) => <Time value={value} /> },
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
          title="Delete this key?"
          action="Delete key"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(deleted.id)}
          onClose={() => setDeleted(undefined)}
        >
          <p>
            Commits that are signed with <code>{inGroups(deleted.fingerprint)}</code> are no longer verified.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** As GnuPG shows fingerprints. */
function inGroups(fingerprint: string): string {
  return fingerprint.match(/.{1,4}/g)?.join(' ') ?? fingerprint
}

function NewKey({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState('')
  const add = useAction(async () => {
    await requestJson(PATH, { method: 'POST', body: { key } })
    notify('The key was added')
    await refresh(PATH)
    onClose()
  })
  return (
    <FormDialog
      title="Add a GPG key"
      action="Add key"
      isBusy={add.isBusy}
      error={add.error}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <TextArea
        label="Public key"
        value={key}
        onInput={setKey}
        rows={8}
        required
        spellcheck={false}
        placeholder="-----BEGIN PGP PUBLIC KEY BLOCK-----"
        help={
          <>
            What <code>gpg --armor --export you@example.com</code> prints.
          </>
        }
      />
    </FormDialog>
  )
}
