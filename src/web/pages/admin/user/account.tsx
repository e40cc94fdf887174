import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import type { FullUser } from '../../../../coordinator/accounts/users/record/schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh } from '../../../api/use-read.js'
import { navigate } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ActionForm } from '../../../kit/action-form.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { CheckBox, Input, TextArea } from '../../../kit/field.js'
import { Panel } from '../../../kit/panel.js'
import { AccountFields } from '../account-fields.js'
import styles from './page.module.css'

/** The settings of an account, and its password. */
export function Account({ user }: { user: FullUser }) {
  return (
    <>
      <Settings user={user} />
      <Password user={user} />
      <TwoFactor user={user} />
    </>
  )
}

function Settings({ user }: { user: FullUser }) {
  const [names, setNames] = useState({ name: user.name, username: user.username, email: user.email })
  const [isAdmin, setAdmin] = useState(user.is_admin ?? false)
  const [isExternal, setExternal] = useState(user.external)
  const [mayCreateGroups, setMayCreateGroups] = useState(user.can_create_group)
  const [limit, setLimit] = useState(String(user.projects_limit))
  const [note, setNote] = useState(user.note ?? '')
  const save = useAction(async () => {
    await requestJson(`/users/${user.id}`, {
      method: 'PUT',
      body: {
        ...names,
        external: isExternal,
        can_create_group: mayCreateGroups,
        projects_limit: Number(limit),
        note,
        // Sent only when it changes: it needs a confirmation.
        ...(isAdmin !== user.is_admin && { admin: isAdmin }),
      },
    })
    notify('The account was saved')
    const { username } = names
    if (username !== user.username) navigate(addressOf('admin/user', { username }), { replaces: true })
    await refresh('/users')
  })
  return (
    <Panel title="Account">
      <ActionForm action={save} class={styles['form']}>
        <AccountFields
          {...names}
          onInput={(change) => setNames({ ...names, ...change })}
          usernameHelp="The addresses of personal projects change with it."
        />
        <CheckBox
          label="Administrator"
          help="Sees and changes everything."
          checked={isAdmin}
          onInput={setAdmin}
          disabled={user.id === boot.user?.id}
        />
        <CheckBox
          label="External"
          help="Sees internal projects only as a member."
          checked={isExternal}
          onInput={setExternal}
        />
        <CheckBox label="May create groups" checked={mayCreateGroups} onInput={setMayCreateGroups} />
        <Input
          label="Maximum number of personal projects"
          type="number"
          min={0}
          value={limit}
          onInput={setLimit}
          required
        />
        <TextArea label="Note" value={note} onInput={setNote} rows={3} help="Only administrators see it." />
        <div>
          <Button kind="primary" type="submit" isBusy={save.isBusy}>
            Save changes
          </Button>
        </div>
      </ActionForm>
    </Panel>
  )
}

/** Whether the user has a second factor, and the button that removes all of them. */
function TwoFactor({ user }: { user: FullUser }) {
  const [isAsking, setAsking] = useState(false)
  const turnOff = useAction(async () => {
    await requestJson(`/users/${user.id}/disable_two_factor`, { method: 'PATCH' })
    setAsking(false)
    notify('Two-factor authentication is off')
    await refresh('/users')
  }, notifyError)
  return (
    <Panel title="Two-factor authentication">
      {user.two_factor_enabled ? (
        <Button kind="danger" onClick={() => setAsking(true)}>
          Turn off
        </Button>
      ) : (
        <p>The user has no second factor.</p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Turn two-factor authentication of ${user.username} off?`}
          action="Turn off"
          isBusy={turnOff.isBusy}
          onConfirm={() => void turnOff.run()}
          onClose={() => setAsking(false)}
        >
          <p>
            The app, the passkeys and the recovery codes are removed. The password alone signs the user in.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function Password({ user }: { user: FullUser }) {
  const [password, setPassword] = useState('')
  const save = useAction(async () => {
    await requestJson(`/users/${user.id}`, { method: 'PUT', body: { password } })
    setPassword('')
    notify('The password was set')
  })
  return (
    <Panel title="Password">
      <ActionForm action={save} class={styles['form']} showsError={false}>
        <Input
          label="New password"
          type="password"
          value={password}
          onInput={(value) => {
            save.clear()
            setPassword(value)
          }}
          error={save.error?.message}
          help="8 to 128 characters. Give it to the user, or create a sign-in link instead."
          autoComplete="new-password"
          required
        />
        <div>
          <Button type="submit" isBusy={save.isBusy}>
            Set password
          </Button>
        </div>
      </ActionForm>
    </Panel>
  )
}
