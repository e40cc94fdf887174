import { Plus, Zap } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { Trigger } from '../../../../coordinator/ci/triggers/schema.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead, useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { Input } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { ExpiryField, expiryTime } from '../../../records/expiry-field.js'
import { UserLink } from '../../../records/user-link.js'
import styles from './page.module.css'

const PREFIX = 'glptt-'
const SHORT = 4

interface TriggersProps {
  project: string
  reason: string | undefined
}

/** Trigger tokens, with which other systems start pipelines. */
export function Triggers({ project, reason }: TriggersProps) {
  const path = `${projectApi(project)}/triggers`
  const { rows, result, next } = useReadList<Trigger>(`${path}?per_page=50`)
  const { data: record } = useRead<SimpleProject>(projectApi(project), { staleTime: 60_000 })
  const [created, setCreated] = useState<Trigger>()
  const [isAdding, setAdding] = useState(false)
  const [revoked, setRevoked] = useState<Trigger>()
  const revoke = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    setRevoked(undefined)
    if (created?.id === id) setCreated(undefined)
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
              text={exampleRequest(project, created.token, record?.default_branch ?? 'main')}
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
        <ReadRows
          of={{ rows, result }}
          outline={3}
          empty={
            <Empty icon={Zap} title="There is no trigger token.">
              With a trigger token, another system starts pipelines of this project.
            </Empty>
          }
        >
          <Table<Trigger>
            label="Trigger tokens"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Description', isMain: true, cell: ({ description }) => description },
              { title: 'Token', isDetail: true, cell: ({ token }) => <code>{startOf(token)}…</code> },
              { title: 'Owner', isDetail: true, cell: ({ owner }) => <UserLink user={owner} size={20} /> },
              {
                title: 'Last used',
                cell: ({ last_used: at }) => <Time value={at} />,
              },
              {
                title: 'Expires',
                cell: ({ expires_at: at }) =>
                  at !== null && Date.parse(at) <= Date.now() ? (
                    <Badge tone="failed">expired</Badge>
                  ) : (
                    <Time value={at} />
                  ),
              },
              {
                title: 'Actions',
                hidesTitle: true,
                cell: (trigger) => (
                  <span class={styles['actions']}>
                    <Button size="small" kind="danger" reason={reason} onClick={() => setRevoked(trigger)}>
                      Revoke
                    </Button>
                  </span>
                ),
              },
            ]}
          />
        </ReadRows>
        <LoadMore of="trigger tokens" next={next} />
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

/** The beginning of a token. The API returns the four characters after the prefix for tokens of other users. */
function startOf(token: string): string {
  return token.startsWith(PREFIX) ? token.slice(0, PREFIX.length + SHORT) : PREFIX + token
}

/** A request that starts a pipeline of a branch. */
function exampleRequest(project: string, token: string, branch: string): string {
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
  const [expires, setExpires] = useState('')
  const create = useAction(async () => {
    const body = { description, ...expiryTime(expires) }
    await onCreated(await requestJson<Trigger>(path, { method: 'POST', body }))
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
      <ExpiryField value={expires} onInput={setExpires} />
    </FormDialog>
  )
}
