import { KeySquare, Plus } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { DeployKey } from '../../../../coordinator/hosting/deploy-keys/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { CheckBox, Input, TextArea } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import styles from './page.module.css'

interface DeployKeysProps {
  project: string
  /** Why none can be added or changed now. */
  reason: string | undefined
}

/** Deploy keys: SSH keys of machines, which clone the project and, if so set, push to it. */
export function DeployKeys({ project, reason }: DeployKeysProps) {
  const path = `${projectApi(project)}/deploy_keys`
  const { rows, result, next } = useReadList<DeployKey>(`${path}?per_page=50`)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<DeployKey>()
  const setPush = useAction(async ({ id, can_push: canPush }: DeployKey) => {
    await requestJson(`${path}/${id}`, { method: 'PUT', body: { can_push: !canPush } })
    await refresh(path)
  }, notifyError)
  const remove = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    setRemoved(undefined)
    notify('The deploy key was removed')
    await refresh(path)
  }, notifyError)
  return (
    <Panel
      isFlush
      title="Deploy keys"
      actions={
        <Button size="small" icon={Plus} reason={reason} onClick={() => setAdding(true)}>
          Add deploy key
        </Button>
      }
    >
      <ReadRows
        of={{ rows, result }}
        outline={3}
        empty={
          <Empty icon={KeySquare} title="There is no deploy key.">
            A deploy key is the SSH key of a machine that clones this project, or pushes to it.
          </Empty>
        }
      >
        <Table<DeployKey>
          label="Deploy keys"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Key',
              isMain: true,
              cell: ({ title, fingerprint_sha256: fingerprint }) => (
                <>
                  <strong>{title}</strong>
                  <div class={styles['quiet']}>
                    <code>{fingerprint}</code>
                  </div>
                </>
              ),
            },
            {
              title: 'Access',
              cell: ({ can_push: canPush }) =>
                canPush ? <Badge tone="accent">clones and pushes</Badge> : <Badge>clones</Badge>,
            },
            { title: 'Added', isDetail: true, cell: ({ created_at: at }) => <Time value={at} /> },
            {
              title: 'Expires',
              cell: ({ expires_at: at }) => <Time value={at} />,
            },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (key) => (
                <span class={styles['actions']}>
                  <Button
                    size="small"
                    reason={reason}
                    isBusy={setPush.isBusy}
                    onClick={() => void setPush.run(key)}
                  >
                    {key.can_push ? 'Do not let it push' : 'Let it push'}
                  </Button>
                  <Button size="small" kind="danger" onClick={() => setRemoved(key)}>
                    Remove
                  </Button>
                </span>
              ),
            },
          ]}
        />
      </ReadRows>
      <LoadMore of="deploy keys" next={next} />
      {isAdding && <NewKey path={path} onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmDialog
          title={`Remove ${removed.title}?`}
          action="Remove key"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(removed.id)}
          onClose={() => setRemoved(undefined)}
        >
          <p>The machine that has this key can no longer clone the project with it.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function NewKey({ path, onClose }: { path: string; onClose: () => void }) {
  const [title, setTitle] = useState('')
  const [key, setKey] = useState('')
  const [canPush, setCanPush] = useState(false)
  const add = useAction(async () => {
    await requestJson(path, { method: 'POST', body: { title, key, can_push: canPush } })
    onClose()
    await refresh(path)
  })
  return (
    <FormDialog
      title="Add deploy key"
      action="Add key"
      isBusy={add.isBusy}
      error={add.error}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <Input label="Title" value={title} onInput={setTitle} required autoComplete="off" />
      <TextArea
        label="Public key"
        value={key}
        onInput={setKey}
        required
        spellcheck={false}
        placeholder="ssh-ed25519 AAAA… deploy@server"
        help="The content of a file that ends with .pub."
      />
      <CheckBox label="The key may push" checked={canPush} onInput={setCanPush} />
    </FormDialog>
  )
}
