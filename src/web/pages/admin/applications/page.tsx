import { Blocks, Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { Application, NewApplication } from '../../../../coordinator/accounts/applications/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Button, IconButton } from '../../../kit/button.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { ConfirmDialog, Dialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { CheckBox, Input, TextArea } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { LoadMore } from '../../../kit/load-more.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import styles from './page.module.css'

const PATH = '/applications'

const SCOPES = [
  ['openid', 'Knowing who the user is'],
  ['profile', 'Reading name and picture'],
  ['email', 'Reading the primary e-mail address'],
  ['read_user', 'Reading the profile'],
  ['api', 'Everything in the API, for reading and changing'],
  ['read_api', 'Reading everything in the API'],
  ['read_repository', 'Cloning and fetching'],
  ['write_repository', 'Pushing'],
] as const

/** The OAuth applications of the instance. */
export function Page() {
  useTitle('Applications')
  const { rows, result, hasMore, more } = useReadList<Application>(`${PATH}?per_page=50`)
  const [isAdding, setAdding] = useState(false)
  const [created, setCreated] = useState<NewApplication>()
  const [deleted, setDeleted] = useState<Application>()
  const remove = useAction(async ({ id }: Application) => {
    await requestJson(`${PATH}/${id}`, { method: 'DELETE' })
    setDeleted(undefined)
    notify('The application was deleted')
    await refresh(PATH)
  }, notifyError)
  return (
    <>
      <PageHeader
        title="Applications"
        details="Programs that sign users in with their accounts here, or act for them (OAuth 2 and OpenID Connect)."
        actions={
          <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
            New application
          </Button>
        }
      />
      {created && <Created application={created} onClose={() => setCreated(undefined)} />}
      <Panel isFlush>
        <ReadRows
          of={{ rows, result }}
          outline={4}
          empty={<Empty icon={Blocks} title="There is no application yet." />}
        >
          <Table<Application>
            label="Applications"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Application',
                isMain: true,
                cell: ({ application_name: name }) => <strong>{name}</strong>,
              },
              { title: 'Client ID', cell: ({ application_id: client }) => <code>{client}</code> },
              {
                title: 'Redirect addresses',
                cell: ({ callback_url: urls }) => (
                  <span class={styles['lines']}>
                    {urls.split('\n').map((url) => (
                      <span key={url}>{url}</span>
                    ))}
                  </span>
                ),
              },
              {
                title: 'Kind',
                cell: ({ confidential }) => (confidential ? 'with a secret' : 'public'),
              },
              {
                title: 'Actions',
                hidesTitle: true,
                cell: (application) => (
                  <IconButton
                    size="small"
                    icon={Trash2}
                    label={`Delete ${application.application_name}`}
                    onClick={() => setDeleted(application)}
                  />
                ),
              },
            ]}
          />
        </ReadRows>
      </Panel>
      {hasMore && <LoadMore of="applications" isBusy={result.isFetchingNextPage} onMore={more} />}
      {isAdding && (
        <NewDialog
          onClose={() => setAdding(false)}
          onCreated={(application) => {
            setAdding(false)
            setCreated(application)
          }}
        />
      )}
      {deleted && (
        <ConfirmDialog
          title={`Delete ${deleted.application_name}?`}
          action="Delete application"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          <p>Nobody can sign in with it any more, and its tokens become invalid.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Created({ application, onClose }: { application: NewApplication; onClose: () => void }) {
  return (
    <Dialog
      title={application.application_name}
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <p>Give these to the application. The secret is not shown again.</p>
      <p>Client ID</p>
      <CodeBlock text={application.application_id} label="client ID" />
      <p>Client secret</p>
      <CodeBlock text={application.secret} label="client secret" />
    </Dialog>
  )
}

interface NewDialogProps {
  onClose: () => void
  onCreated: (application: NewApplication) => void
}

function NewDialog({ onClose, onCreated }: NewDialogProps) {
  const [name, setName] = useState('')
  const [urls, setUrls] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set())
  const [isConfidential, setConfidential] = useState(true)
  const create = useAction(async () => {
    const application = await requestJson<NewApplication>(PATH, {
      method: 'POST',
      body: { name, redirect_uri: urls.trim(), scopes: [...scopes], confidential: isConfidential },
    })
    onCreated(application)
    await refresh(PATH)
  })
  const toggle = (scope: string) => {
    const next = new Set(scopes)
    if (!next.delete(scope)) next.add(scope)
    setScopes(next)
  }
  return (
    <FormDialog
      title="New application"
      action="Create application"
      isBusy={create.isBusy}
      error={create.error}
      isIncomplete={scopes.size === 0}
      onSubmit={() => void create.run()}
      onClose={onClose}
    >
      <Input label="Name" value={name} onInput={setName} required autoComplete="off" />
      <TextArea
        label="Redirect addresses"
        value={urls}
        onInput={setUrls}
        rows={2}
        required
        spellcheck={false}
        placeholder="https://app.example.com/callback"
        help="One in each line."
      />
      <CheckBox
        label="Keeps a secret"
        help="Off for programs on the devices of users and in web pages."
        checked={isConfidential}
        onInput={setConfidential}
      />
      <fieldset class={styles['fieldset']}>
        <legend>Scopes that it may ask for</legend>
        {SCOPES.map(([scope, about]) => (
          <CheckBox
            key={scope}
            label={<code>{scope}</code>}
            help={about}
            checked={scopes.has(scope)}
            onInput={() => toggle(scope)}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
