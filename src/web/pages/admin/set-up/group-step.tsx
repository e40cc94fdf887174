import { useState } from 'preact/hooks'

import { pathNameFrom } from '../../../../addresses/path-name.js'
import type { Group } from '../../../../coordinator/accounts/groups/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh } from '../../../api/use-read.js'
import { rememberGroups } from '../../../frame/found.js'
import { ActionForm } from '../../../kit/action-form.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { Input } from '../../../kit/field.js'
import styles from './page.module.css'

/** Creates a private group at the top level. */
export function GroupStep() {
  const [name, setName] = useState('')
  const [made, setMade] = useState<Group>()
  const create = useAction(async () => {
    const body = { name, path: pathNameFrom(name), visibility: 'private' }
    const group = await requestJson<Group>('/groups', { method: 'POST', body })
    rememberGroups([group.full_path])
    setMade(group)
    setName('')
    await refresh('/groups', '/admin/set_up')
  })
  return (
    <>
      <ActionForm action={create} class={styles['row']}>
        <Input label="Group name" value={name} onInput={setName} required autoComplete="off" />
        <Button type="submit" isBusy={create.isBusy} disabled={pathNameFrom(name) === ''}>
          Create group
        </Button>
      </ActionForm>
      {made && (
        <Alert title={`The group ${made.name} was created.`}>
          It is private. <a href={`/groups/${made.full_path}/-/group_members`}>Add members</a>.
        </Alert>
      )}
    </>
  )
}
