import { useState } from 'preact/hooks'

import type { FullProject } from '../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../api/client.js'
import { fieldErrors } from '../../api/error-message.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { navigate } from '../../frame/location.js'
import { Button } from '../../kit/button.js'
import { CheckBox, Input, TextArea } from '../../kit/field.js'
import { atMost } from '../../records/visibility-field.js'
import { DestinationFields, DestinationVisibility } from './destination-fields.js'
import { FormError } from './form-error.js'
import styles from './projects.module.css'
import { useProjectDestination } from './use-destination.js'

/** Creates a project without files, or with a README. */
export function BlankForm() {
  const destination = useProjectDestination()
  const [description, setDescription] = useState('')
  const [wished, setVisibility] = useState('private')
  const [hasReadme, setHasReadme] = useState(true)
  const [branch, setBranch] = useState('')
  const { name, path, namespace, pathProblem } = destination
  const visibility = atMost(wished, namespace.visibility)
  const create = useAction(async () => {
    const made = await requestJson<FullProject>('/projects', {
      method: 'POST',
      body: {
        name,
        path,
        namespace_id: namespace.id,
        description,
        visibility,
        initialize_with_readme: hasReadme,
        default_branch: hasReadme && branch !== '' ? branch : undefined,
      },
    })
    await refresh('/projects', '/groups')
    navigate(`/${made.path_with_namespace}`)
  })
  const errors = fieldErrors(create.error?.body)
  return (
    <form
      class={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (pathProblem === undefined) void create.run()
      }}
    >
      <FormError error={create.error} />
      <DestinationFields destination={destination} errors={errors} autoFocus />
      <TextArea label="Description" value={description} onInput={setDescription} rows={2} />
      <DestinationVisibility destination={destination} value={visibility} onInput={setVisibility} />
      <div class={styles['destination']}>
        <CheckBox
          label="Initialize with a README"
          help="The repository can be cloned at once. Leave it out to push an existing repository."
          checked={hasReadme}
          onInput={setHasReadme}
        />
        {hasReadme && (
          <Input
            label="Default branch"
            value={branch}
            onInput={setBranch}
            placeholder="main"
            error={errors['default_branch']}
            autoComplete="off"
            spellcheck={false}
          />
        )}
      </div>
      <div class={styles['actions']}>
        <Button
          kind="primary"
          type="submit"
          isBusy={create.isBusy}
          disabled={name === '' || pathProblem !== undefined}
        >
          Create project
        </Button>
      </div>
    </form>
  )
}
