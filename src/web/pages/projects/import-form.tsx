import { useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import type { FullProject } from '../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../api/client.js'
import { fieldErrors } from '../../api/error-message.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { navigate } from '../../frame/location.js'
import { Button } from '../../kit/button.js'
import { Input } from '../../kit/field.js'
import { atMost } from '../../records/visibility-field.js'
import { DestinationFields, DestinationVisibility } from './destination-fields.js'
import { FormError } from './form-error.js'
import { addressProblem, nameInAddress, withCredentials } from './import-address.js'
import styles from './projects.module.css'
import { useProjectDestination } from './use-destination.js'

/** Copies a repository of another server into a new project. */
export function ImportForm() {
  const destination = useProjectDestination()
  const [address, setAddress] = useState('')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [wished, setVisibility] = useState('private')
  const { name, path, namespace, pathProblem } = destination
  const visibility = atMost(wished, namespace.visibility)
  const problem = address === '' ? undefined : addressProblem(address)
  const start = useAction(async () => {
    const made = await requestJson<FullProject>('/projects', {
      method: 'POST',
      body: {
        name,
        path,
        namespace_id: namespace.id,
        visibility,
        import_url: withCredentials(address, username, password),
      },
    })
    await refresh('/projects', '/groups')
    navigate(addressOf('projects/import', { project: made.path_with_namespace }))
  })
  const errors = fieldErrors(start.error?.body)
  const refused = errors['import_url']
  const typeAddress = (next: string) => {
    setAddress(next)
    start.clear()
    if (name === '' || name === nameInAddress(address)) destination.setName(nameInAddress(next))
  }
  return (
    <form
      class={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === undefined && pathProblem === undefined) void start.run()
      }}
    >
      <FormError error={start.error} />
      <Input
        label="Git repository URL"
        type="url"
        value={address}
        onInput={typeAddress}
        placeholder="https://git.example.com/group/app.git"
        error={problem ? `This ${problem}.` : refused && `This URL ${refused}.`}
        help="The address that git clones from, over HTTPS or HTTP."
        required
        autoFocus
        autoComplete="off"
        spellcheck={false}
      />
      <div class={styles['destination']}>
        <Input
          label="User name (if the repository is private)"
          value={username}
          onInput={setUsername}
          autoComplete="off"
          spellcheck={false}
        />
        <Input
          label="Password or token"
          type="password"
          value={password}
          onInput={setPassword}
          help="Used for the import only."
          autoComplete="new-password"
        />
      </div>
      <DestinationFields destination={destination} errors={errors} />
      <DestinationVisibility destination={destination} value={visibility} onInput={setVisibility} />
      <div class={styles['actions']}>
        <Button
          kind="primary"
          type="submit"
          isBusy={start.isBusy}
          disabled={address === '' || name === '' || problem !== undefined || pathProblem !== undefined}
        >
          Import project
        </Button>
      </div>
    </form>
  )
}
