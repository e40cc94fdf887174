import { Key, Plus } from 'lucide'
import { useState } from 'preact/hooks'

import type { NewTokenRecord, TokenRecord } from '../../coordinator/accounts/users/tokens/schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { notify, notifyError } from '../frame/notices.js'
import { ReadRows } from '../frame/problem.js'
import { Alert } from '../kit/alert.js'
import { Badge } from '../kit/badge.js'
import { Button } from '../kit/button.js'
import { CodeBlock } from '../kit/code-block.js'
import { Empty } from '../kit/empty.js'
import { Input, Select } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import styles from './access-tokens.module.css'
import { expiryDate, ExpiryField } from './expiry-field.js'
import { RevokeTokenDialog } from './revoke-token-dialog.js'
import { roleName, ROLES } from './roles.js'
import { type Scope, ScopeFields, Scopes } from './scopes.js'

/** Scopes of tokens of people, projects and groups. */
export const TOKEN_SCOPES: readonly Scope[] = [
  { name: 'api', about: 'Everything in the API, for reading and changing' },
  { name: 'read_api', about: 'Reading everything in the API' },
  { name: 'read_repository', about: 'Cloning and fetching' },
  { name: 'write_repository', about: 'Pushing' },
  { name: 'create_runner', about: 'Creating runners' },
  { name: 'manage_runner', about: 'Managing runners' },
]

interface AccessTokensProps {
  /** Path of the list in the API, with the filters of its query. */
  list: string
  /** Path that creates tokens, and below which each has its ID. */
  create: string
  /** Path below which each token has its ID. */
  single: string
  scopes: readonly Scope[]
  /** Tokens of projects and groups have a role. */
  withRole?: boolean
  /** Whether each token can be replaced by a new one. */
  canRotate?: boolean
  /** Whether the user may create and revoke tokens. */
  mayChange: boolean
  /** Why none can be created now. Tokens can still be revoked. */
  reason?: string | undefined
}

/** The access tokens of a project or group, which have a role there. */
export function RoleTokens({ path, reason }: { path: string; reason?: string | undefined }) {
  return (
    <AccessTokens
      list={`${path}?state=active&per_page=50`}
      create={path}
      single={path}
      scopes={TOKEN_SCOPES}
      withRole
      mayChange
      reason={reason}
    />
  )
}

/** Access tokens: a list, and what creates, rotates and revokes them. The secret is shown once. */
export function AccessTokens({
  list,
  create,
  single,
  scopes,
  withRole = false,
  canRotate = true,
  mayChange,
  reason,
}: AccessTokensProps) {
  const tokens = useReadList<TokenRecord>(list)
  const [created, setCreated] = useState<NewTokenRecord>()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<TokenRecord>()
  const done = async (token?: NewTokenRecord) => {
    setCreating(false)
    setRevoked(undefined)
    if (token) setCreated(token)
    await refresh(list.split('?')[0] ?? list)
  }
  const revoke = useAction(async (id: number) => {
    await requestJson(`${single}/${id}`, { method: 'DELETE' })
    notify('The token was revoked')
    await done()
  }, notifyError)
  const rotate = useAction(async (id: number) => {
    await done(await requestJson<NewTokenRecord>(`${single}/${id}/rotate`, { method: 'POST' }))
  }, notifyError)
  return (
    <div class={styles['tokens']}>
      {created && (
        <Alert title={`Copy the token ${created.name} now. It is not shown again.`}>
          <div class={styles['secret']}>
            <CodeBlock text={created.token} label="token" />
            <p>Try it:</p>
            <CodeBlock text={tryingRequest(created.token)} label="request" />
          </div>
        </Alert>
      )}
      <Panel
        isFlush
        title="Tokens"
        actions={
          mayChange && (
            <Button kind="primary" size="small" icon={Plus} reason={reason} onClick={() => setCreating(true)}>
              New token
            </Button>
          )
        }
      >
        <ReadRows
          of={tokens}
          outline={3}
          empty={
            <Empty icon={Key} title="There is no token.">
              {withRole
                ? 'A token lets scripts and git act here without an account, with a role of its own.'
                : 'A token lets scripts and git act with a part of your rights, without your password.'}
            </Empty>
          }
        >
          <Table<TokenRecord>
            label="Tokens"
            rows={tokens.rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Name',
                isMain: true,
                cell: ({ name, description }) => (
                  <>
                    <strong>{name}</strong>
                    {description !== null && description !== '' && (
                      <div class={styles['quiet']}>{description}</div>
                    )}
                  </>
                ),
              },
              {
                title: 'Scopes',
                isDetail: true,
                cell: ({ scopes: names }) => <Scopes of={names} />,
              },
              ...(withRole
                ? [
                    {
                      title: 'Role',
                      isDetail: true,
                      cell: ({ access_level: level }: TokenRecord) =>
                        level === undefined ? '–' : roleName(level),
                    },
                  ]
                : []),
              { title: 'Last used', cell: ({ last_used_at: value }) => <Time value={value} /> },
              {
                title: 'Expires',
                cell: ({ expires_at: value, active }) =>
                  active ? <Time value={value} /> : <Badge tone="failed">expired</Badge>,
              },
              {
                title: 'Actions',
                hidesTitle: true,
                cell: (token) =>
                  mayChange && (
                    <span class={styles['actions']}>
                      {canRotate && (
                        <Button
                          size="small"
                          reason={reason}
                          isBusy={rotate.isBusy}
                          onClick={() => void rotate.run(token.id)}
                        >
                          Rotate
                        </Button>
                      )}
                      <Button size="small" kind="danger" onClick={() => setRevoked(token)}>
                        Revoke
                      </Button>
                    </span>
                  ),
              },
            ]}
          />
        </ReadRows>
      </Panel>
      <LoadMore of="tokens" next={tokens.next} />
      {isCreating && (
        <NewToken {...{ create, scopes, withRole }} onCreated={done} onClose={() => setCreating(false)} />
      )}
      {revoked && <RevokeTokenDialog token={revoked} revoke={revoke} onClose={() => setRevoked(undefined)} />}
    </div>
  )
}

/** A request that every valid token may make, whatever its scopes: the API shows a token its own record. */
function tryingRequest(token: string): string {
  return `curl --fail --header "PRIVATE-TOKEN: ${token}" ${location.origin}/api/v4/personal_access_tokens/self`
}

interface NewTokenProps extends Pick<AccessTokensProps, 'create' | 'scopes' | 'withRole'> {
  onCreated: (token: NewTokenRecord) => Promise<void>
  onClose: () => void
}

function NewToken({ create, scopes, withRole, onCreated, onClose }: NewTokenProps) {
  const [name, setName] = useState('')
  const [expires, setExpires] = useState('')
  const [role, setRole] = useState('30')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const make = useAction(async () => {
    const token = await requestJson<NewTokenRecord>(create, {
      method: 'POST',
      body: {
        name,
        scopes: [...chosen],
        ...expiryDate(expires),
        ...(withRole && { access_level: Number(role) }),
      },
    })
    await onCreated(token)
  })
  return (
    <FormDialog
      title="New token"
      action="Create token"
      isBusy={make.isBusy}
      error={make.error}
      isIncomplete={chosen.size === 0}
      onSubmit={() => void make.run()}
      onClose={onClose}
    >
      <Input
        label="Name"
        value={name}
        onInput={setName}
        required
        autoComplete="off"
        help="What uses the token."
      />
      {withRole && <Select label="Role" value={role} onInput={setRole} choices={ROLES} />}
      <ExpiryField value={expires} onInput={setExpires} />
      <ScopeFields label="Scopes" scopes={scopes} chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}
