import { KeyRound, Plus } from 'lucide'
import { useState } from 'preact/hooks'

import type { DeployToken, NewDeployToken } from '../../coordinator/hosting/deploy-tokens/schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { notify, notifyError } from '../frame/notices.js'
import { ReadRows } from '../frame/problem.js'
import { Alert } from '../kit/alert.js'
import { Button } from '../kit/button.js'
import { CodeBlock } from '../kit/code-block.js'
import { Empty } from '../kit/empty.js'
import { Input } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import styles from './access-tokens.module.css'
import { ExpiryField, expiryTime } from './expiry-field.js'
import { RevokeTokenDialog } from './revoke-token-dialog.js'
import { Scopes } from './scopes.js'

interface DeployTokensProps {
  /** Path in the API: `/projects/5/deploy_tokens` or `/groups/7/deploy_tokens`. */
  path: string
  /** Why none can be created now. */
  reason?: string | undefined
}

/** Deploy tokens: user names with a secret that clone, without an account. The secret is shown once. */
export function DeployTokens({ path, reason }: DeployTokensProps) {
  const { rows, result, next } = useReadList<DeployToken>(`${path}?active=true&per_page=50`)
  const [created, setCreated] = useState<NewDeployToken>()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<DeployToken>()
  const revoke = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    setRevoked(undefined)
    notify('The deploy token was revoked')
    await refresh(path)
  }, notifyError)
  return (
    <>
      {created && (
        <Alert title={`Copy the token ${created.name} now. It is not shown again.`}>
          <div class={styles['secret']}>
            <CodeBlock text={`${created.username}\n${created.token}`} label="user name and token" />
          </div>
        </Alert>
      )}
      <Panel
        isFlush
        title="Deploy tokens"
        actions={
          <Button size="small" icon={Plus} reason={reason} onClick={() => setCreating(true)}>
            New deploy token
          </Button>
        }
      >
        <ReadRows
          of={{ rows, result }}
          outline={3}
          empty={
            <Empty icon={KeyRound} title="There is no deploy token.">
              A deploy token clones and fetches without an account, for servers that deploy.
            </Empty>
          }
        >
          <Table<DeployToken>
            label="Deploy tokens"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Name', isMain: true, cell: ({ name }) => <strong>{name}</strong> },
              { title: 'User name', cell: ({ username }) => <code>{username}</code> },
              {
                title: 'Scopes',
                isDetail: true,
                cell: ({ scopes }) => <Scopes of={scopes} />,
              },
              {
                title: 'Expires',
                cell: ({ expires_at: value }) => <Time value={value} />,
              },
              {
                title: 'Actions',
                hidesTitle: true,
                cell: (token) => (
                  <span class={styles['actions']}>
                    <Button size="small" kind="danger" onClick={() => setRevoked(token)}>
                      Revoke
                    </Button>
                  </span>
                ),
              },
            ]}
          />
        </ReadRows>
        <LoadMore of="deploy tokens" next={next} />
      </Panel>
      {isCreating && (
        <NewToken
          path={path}
          onCreated={async (token) => {
            setCreating(false)
            setCreated(token)
            await refresh(path)
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {revoked && <RevokeTokenDialog token={revoked} revoke={revoke} onClose={() => setRevoked(undefined)} />}
    </>
  )
}

interface NewTokenProps {
  path: string
  onCreated: (token: NewDeployToken) => Promise<void>
  onClose: () => void
}

function NewToken({ path, onCreated, onClose }: NewTokenProps) {
  const [name, setName] = useState('')
  const [username, setUsername] = useState('')
  const [expires, setExpires] = useState('')
  const make = useAction(async () => {
    const token = await requestJson<NewDeployToken>(path, {
      method: 'POST',
      body: {
        name,
        scopes: ['read_repository'],
        ...(username !== '' && { username }),
        ...expiryTime(expires),
      },
    })
    await onCreated(token)
  })
  return (
    <FormDialog
      title="New deploy token"
      action="Create token"
      isBusy={make.isBusy}
      error={make.error}
      onSubmit={() => void make.run()}
      onClose={onClose}
    >
      <Input label="Name" value={name} onInput={setName} required autoComplete="off" />
      <Input
        label="User name"
        value={username}
        onInput={setUsername}
        autoComplete="off"
        help="Without one, a name is made up."
      />
      <ExpiryField value={expires} onInput={setExpires} />
      <p>The token clones and fetches. It cannot push.</p>
    </FormDialog>
  )
}
