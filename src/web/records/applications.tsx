import { Blocks, KeyRound, Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { Application, NewApplication } from '../../coordinator/accounts/applications/schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { notify, notifyError } from '../frame/notices.js'
import { ReadRows } from '../frame/problem.js'
import { Button } from '../kit/button.js'
import { CodeBlock } from '../kit/code-block.js'
import { ConfirmDialog, Dialog } from '../kit/dialog.js'
import { Empty } from '../kit/empty.js'
import { CheckBox, Input, TextArea } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'
import { Menu, MenuItem, MenuLine } from '../kit/menu.js'
import { Table } from '../kit/table.js'
import styles from './applications.module.css'
import { type Scope, ScopeFields, Scopes } from './scopes.js'

const SCOPES: readonly Scope[] = [
  { name: 'openid', about: 'Knowing who the user is' },
  { name: 'profile', about: 'Reading name and picture' },
  { name: 'email', about: 'Reading the primary e-mail address' },
  { name: 'read_user', about: 'Reading the profile' },
  { name: 'api', about: 'Everything in the API, for reading and changing' },
  { name: 'read_api', about: 'Reading everything in the API' },
  { name: 'read_repository', about: 'Cloning and fetching' },
  { name: 'write_repository', about: 'Pushing' },
]

interface ApplicationsProps {
  /** The list in the API. Below it are the single applications. */
  path: string
  label: string
  /** Title of the empty list. */
  empty: string
  /** Whether the dialog for a new one is open. */
  isAdding?: boolean
  /** Undefined if the reader may only delete applications: those of another user. */
  onAdded?: () => void
}

type Asked = { application: Application } & { what: 'change' | 'renew' | 'delete' }

/** The OAuth applications of the instance or of a user, with the actions of their owner. */
export function Applications({ path, label, empty, isAdding = false, onAdded }: ApplicationsProps) {
  const { rows, result, next } = useReadList<Application>(`${path}?per_page=50`)
  const [issued, setIssued] = useState<NewApplication>()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const renew = useAction(async ({ id }: Application) => {
    setIssued(await requestJson<NewApplication>(`${path}/${id}/renew-secret`, { method: 'POST' }))
    close()
  }, notifyError)
  const remove = useAction(async ({ id }: Application) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    close()
    notify('The application was deleted')
    await refresh(path)
  }, notifyError)
  return (
    <>
      <ReadRows of={{ rows, result }} outline={3} empty={<Empty icon={Blocks} title={empty} />}>
        <Table<Application>
          label={label}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Application',
              isMain: true,
              cell: ({ application_name: name }) => <strong>{name}</strong>,
            },
            {
              title: 'Client ID',
              isDetail: true,
              cell: ({ application_id: client }) => (
                <code class={styles['client']} title={client}>
                  {client.slice(0, SHOWN_OF_CLIENT)}…
                </code>
              ),
            },
            {
              title: 'Redirect URIs',
              isDetail: true,
              cell: ({ callback_url: urls }) => <Lines text={urls} />,
            },
            { title: 'Scopes', cell: ({ scopes }) => <Scopes of={scopes} /> },
            { title: 'Confidential', cell: ({ confidential }) => (confidential ? 'yes' : 'no') },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (application) => (
                <Menu kind="ghost" size="small" name={`Actions for ${application.application_name}`}>
                  {onAdded && (
                    <>
                      <MenuItem icon={Pencil} onSelect={() => setAsked({ what: 'change', application })}>
                        Edit
                      </MenuItem>
                      <MenuItem icon={KeyRound} onSelect={() => setAsked({ what: 'renew', application })}>
                        Renew secret
                      </MenuItem>
                      <MenuLine />
                    </>
                  )}
                  <MenuItem
                    icon={Trash2}
                    isDangerous
                    onSelect={() => setAsked({ what: 'delete', application })}
                  >
                    Delete
                  </MenuItem>
                </Menu>
              ),
            },
          ]}
        />
      </ReadRows>
      <LoadMore of="applications" next={next} />
      {isAdding && onAdded && (
        <ApplicationDialog
          path={path}
          onClose={onAdded}
          onSaved={(application) => {
            onAdded()
            setIssued(application)
          }}
        />
      )}
      {asked?.what === 'change' && (
        <ApplicationDialog path={path} known={asked.application} onClose={close} onSaved={close} />
      )}
      {asked?.what === 'renew' && (
        <ConfirmDialog
          title={`Renew the secret of ${asked.application.application_name}?`}
          action="Renew secret"
          isBusy={renew.isBusy}
          onConfirm={() => void renew.run(asked.application)}
          onClose={close}
        >
          <p>The current secret becomes invalid at once. Users stay signed in until their tokens expire.</p>
        </ConfirmDialog>
      )}
      {asked?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${asked.application.application_name}?`}
          action="Delete application"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(asked.application)}
          onClose={close}
        >
          <p>Nobody can sign in with it any more, and its tokens become invalid.</p>
        </ConfirmDialog>
      )}
      {issued && <Credentials of={issued} onClose={() => setIssued(undefined)} />}
    </>
  )
}

/** Number of characters of a client ID in a row. The dialog has all of them. */
const SHOWN_OF_CLIENT = 12

function Lines({ text }: { text: string }) {
  return (
    <span class={styles['lines']}>
      {text.split('\n').map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  )
}

function Credentials({ of, onClose }: { of: NewApplication; onClose: () => void }) {
  return (
    <Dialog title={of.application_name} onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <p>Give these to the application. The secret is not shown again.</p>
      <p>Client ID</p>
      <CodeBlock text={of.application_id} label="client ID" />
      <p>Client secret</p>
      <CodeBlock text={of.secret} label="client secret" />
    </Dialog>
  )
}

interface ApplicationDialogProps {
  path: string
  /** The application that is changed; a new one without it. */
  known?: Application
  onClose: () => void
  onSaved: (application: NewApplication) => void
}

function ApplicationDialog({ path, known, onClose, onSaved }: ApplicationDialogProps) {
  const [name, setName] = useState(known?.application_name ?? '')
  const [urls, setUrls] = useState(known?.callback_url ?? '')
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(known?.scopes))
  const [isConfidential, setConfidential] = useState(known?.confidential ?? true)
  const save = useAction(async () => {
    const application = await requestJson<NewApplication>(known ? `${path}/${known.id}` : path, {
      method: known ? 'PUT' : 'POST',
      body: { name, redirect_uri: urls.trim(), scopes: [...scopes], confidential: isConfidential },
    })
    onSaved(application)
    if (known) notify('The application was changed')
    await refresh(path)
  })
  return (
    <FormDialog
      title={known ? `Edit ${known.application_name}` : 'New application'}
      action={known ? 'Save changes' : 'Create application'}
      isBusy={save.isBusy}
      error={save.error}
      isIncomplete={scopes.size === 0}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      {known && (
        <>
          <p>Client ID</p>
          <CodeBlock text={known.application_id} label="client ID" />
        </>
      )}
      <Input label="Name" value={name} onInput={setName} required autoComplete="off" />
      <TextArea
        label="Redirect URIs"
        value={urls}
        onInput={setUrls}
        rows={2}
        required
        spellcheck={false}
        placeholder="https://app.example.com/callback"
        help="One in each line."
      />
      <CheckBox
        label="Confidential"
        help="It can keep its secret. Off for programs on the devices of users and in web pages."
        checked={isConfidential}
        onInput={setConfidential}
      />
      <ScopeFields
        label="Scopes that it may ask for"
        scopes={scopesOffered(known)}
        chosen={scopes}
        onChange={setScopes}
      >
        {known && <p>Tokens that users have granted keep their scopes.</p>}
      </ScopeFields>
    </FormDialog>
  )
}

/** Also other scopes of the application, which were set with the API. */
function scopesOffered(known: Application | undefined): readonly Scope[] {
  const others = known?.scopes.filter((scope) => SCOPES.every(({ name }) => name !== scope)) ?? []
  return [...SCOPES, ...others.map((name) => ({ name, about: '' }))]
}
