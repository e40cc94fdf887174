import { useState } from 'preact/hooks'

import { projectApi } from '../../addresses/first-reads.js'
import type { FullProject } from '../../coordinator/hosting/projects/record/schema.js'
import { boot } from '../api/boot.js'
import { requestJson } from '../api/client.js'
import { fieldErrors } from '../api/error-message.js'
import { useAction } from '../api/use-action.js'
import { refresh } from '../api/use-read.js'
import { navigate } from '../frame/location.js'
import { Alert } from '../kit/alert.js'
import { Button } from '../kit/button.js'
import { Dialog } from '../kit/dialog.js'
import { Input } from '../kit/field.js'
import { NamespaceField } from './namespace-field.js'
import type { Namespace } from './namespaces.js'
import type { ListedProject } from './project-rows.js'
import { atMost, VisibilityField } from './visibility-field.js'

interface ForkDialogProps {
  project: ListedProject
  onClose: () => void
}

/** Asks where a fork is created, and leads to it. */
export function ForkDialog({ project, onClose }: ForkDialogProps) {
  const [namespace, setNamespace] = useState<Namespace>({
    id: undefined,
    path: boot.user?.username ?? '',
    visibility: 'public',
  })
  const [name, setName] = useState(project.name)
  const [path, setPath] = useState(project.path)
  const [wished, setWished] = useState<string>(project.visibility ?? 'private')
  const most = atMost(project.visibility ?? 'public', namespace.visibility)
  const visibility = atMost(wished, most)
  const fork = useAction(async () => {
    const made = await requestJson<FullProject>(`${projectApi(project.path_with_namespace)}/fork`, {
      method: 'POST',
      body: { namespace_path: namespace.path, name, path, visibility },
    })
    await refresh('/projects')
    navigate(`/${made.path_with_namespace}`)
  })
  const errors = fieldErrors(fork.error?.body)
  return (
    <Dialog
      title={`Fork ${project.name}`}
      onClose={onClose}
      onSubmit={() => void fork.run()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={fork.isBusy}>
            Fork project
          </Button>
        </>
      }
    >
      <p>A fork is a copy of the repository that you can change. It remembers where it comes from.</p>
      {fork.error && <Alert tone="error" title={fork.error.message} />}
      <NamespaceField label="Namespace" value={namespace} onChoose={setNamespace} />
      <Input label="Name" value={name} onInput={setName} error={errors['name']} required autoComplete="off" />
      <Input
        label="Path"
        value={path}
        onInput={setPath}
        error={errors['path']}
        help={`/${namespace.path}/${path}`}
        required
        autoComplete="off"
        spellcheck={false}
      />
      <VisibilityField
        value={visibility}
        onInput={setWished}
        most={most}
        reason="More than the project or the group"
      />
    </Dialog>
  )
}
