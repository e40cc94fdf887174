import { Plus, Zap } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { Trigger } from '../../../../coordinator/ci/triggers/schema.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { Input } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { UserLink } from '../../../records/user-link.js'
import styles from './page.module.css'

interface TriggersProps {
  project: string
  reason: string | undefined
}

/** Trigger tokens, with which other systems start pipelines. */
export function Triggers({ project, reason }: TriggersProps) {
  const path = `${projectApi(project)}/triggers`
  const triggers = useRead<Trigger[]>(`${path}?per_page=100`)
  const { data: record } = useRead<SimpleProject>(projectApi(project), { staleTime: 60_000 })
  const [created, setCreated] = useState<Trigger>()
  const [isAdding, setAdding] = useState(false)
  const [revoked, setRevoked] = useState<Trigger>()
  const revoke = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    setRevoked(undefined)
    notify('The trigger token was revoked')
    await refresh(path)
  }, notifyError)
  return (
    <>
      {created && (
        <Alert title="Start a pipeline with this request:">
          <div class={styles['secret']}>
            <CodeBlock
              label="request"
              text={requestOf(project, created.token, record?.default_branch ?? 'main')}
            />
          </div>
        </Alert>
      )}
      <Panel
        isFlush
        title="Trigger tokens"
        actions={
          <Button size="small" icon={Plus} reason={reason} onClick={() => setAdding(true)}>
            New trigger token
          </Button>
        }
      >
        <Read of={triggers}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon={Zap} title="There is no trigger token.">
                With a trigger token, another system starts pipelines of this project.
              </Empty>
            ) : (
              <Table<Trigger>
                label="Trigger tokens"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Description', isMain: true, cell: ({ description }) => description },
                  { title: 'Token', cell: ({ token }) => <code>{token.slice(0, 10)}…</code> },
                  { title: 'Owner', cell: ({ owner }) => <UserLink user={owner} size={20} /> },
                  {
                    title: 'Last used',
                    cell: ({ last_used: at }) => (at === null ? 'never' : <Time value={at} />),
                  },
                  {
                    title: 'Actions',
                    hidesTitle: true,
                    cell: (trigger) => (
                      <span class={styles['actions']}>
                        <Button
                          size="small"
                          kind="danger"
                          reason={reason}
                          onClick={() => setRevoked(trigger)}
                        >
                          Revoke
                        </Button>
                      </span>
                    ),
                  },
                ]}
              />
            )
          }
        </Read>
      </Panel>
      {isAdding && (
        <NewTrigger
          path={path}
          onCreated={async (trigger) => {
            setAdding(false)
            setCreated(trigger)
            await refresh(path)
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {revoked && (
        <ConfirmDialog
          title={`Revoke ${revoked.description}?`}
          action="Revoke token"
          isBusy={revoke.isBusy}
          onConfirm={() => void revoke.run(revoked.id)}
          onClose={() => setRevoked(undefined)}
        >
          <p>Systems that use this token can no longer start pipelines.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** A request that starts a pipeline of a branch. */
function requestOf(project: string, token: string, branch: string): string {
  const address = `${location.origin}/api/v4${projectApi(project)}/trigger/pipeline`
  return `curl --fail --form token=${token} --form ref=${branch} ${address}`
}

interface NewTriggerProps {
  path: string
  onCreated: (trigger: Trigger) => Promise<void>
  onClose: () => void
}

function NewTrigger({ path, onCreated, onClose }: NewTriggerProps) {
  const [description, setDescription] = useState('')
  const create = useAction(async () => {
    await onCreated(await requestJson<Trigger>(path, { method: 'POST', body: { description } }))
  })
  return (
    <FormDialog
      title="New trigger token"
      action="Create token"
      isBusy={create.isBusy}
      error={create.error}
      onSubmit={() => void create.run()}
      onClose={onClose}
    >
      <Input
        label="Description"
        value={description}
        onInput={setDescription}
        required
        autoComplete="off"
        help="What uses the token. Its pipelines have your rights."
      />
    </FormDialog>
  )
}
