import { useEffect, useRef, useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import type { ImportStatus } from '../../../coordinator/hosting/projects/import/import-archive-schema.js'
import { fieldErrors } from '../../api/error-message.js'
import { upload } from '../../api/upload.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { navigate } from '../../frame/location.js'
import { Button } from '../../kit/button.js'
import { formatBytes } from '../../kit/bytes.js'
import { Field } from '../../kit/field.js'
import styles from './archive-form.module.css'
import { DestinationFields } from './destination-fields.js'
import { FormError } from './form-error.js'
import { nameInArchive } from './import-address.js'
import shared from './projects.module.css'
import { useProjectDestination } from './use-destination.js'

/** Creates a project from an archive that an export has made. */
export function ArchiveForm() {
  const destination = useProjectDestination()
  const [file, setFile] = useState<File>()
  const [share, setShare] = useState<number>()
  const abort = useRef<AbortController | undefined>(undefined)
  const { name, path, namespace, pathProblem } = destination
  useEffect(() => () => abort.current?.abort(), [])
  const send = useAction(async () => {
    if (!file) return
    const form = new FormData()
    // The server refuses wrong names before it reads the file.
    form.append('name', name)
    form.append('path', path)
    form.append('namespace', namespace.path)
    form.append('file', file)
    abort.current = new AbortController()
    setShare(0)
    try {
      const made = await upload<ImportStatus>('/projects/import', form, setShare, abort.current.signal)
      await refresh('/projects', '/groups')
      navigate(addressOf('projects/import', { project: made.path_with_namespace }))
    } finally {
      setShare(undefined)
    }
  })
  const choose = (chosen: File | undefined) => {
    const before = file && nameInArchive(file.name)
    setFile(chosen)
    send.clear()
    if (chosen && (name === '' || name === before)) destination.setName(nameInArchive(chosen.name))
  }
  return (
    <form
      class={shared['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (pathProblem === undefined) void send.run()
      }}
    >
      <FormError error={send.error} />
      <Field
        label="Archive of a project"
        help="A file that “Export project” in the settings of a project has made, here or on a GitLab server; at most 5 GiB."
      >
        {(ids) => (
          <input
            {...ids}
            class={styles['file']}
            type="file"
            accept=".tar.gz,.tgz,application/gzip"
            required
            onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
          />
        )}
      </Field>
      <DestinationFields destination={destination} errors={fieldErrors(send.error?.body)} />
      {share !== undefined && file && (
        <div class={styles['progress']}>
          <progress value={share} max={1} aria-label="Upload" />
          <span>
            {formatBytes(share * file.size)} of {formatBytes(file.size)}
          </span>
        </div>
      )}
      <div class={shared['actions']}>
        <Button
          kind="primary"
          type="submit"
          isBusy={send.isBusy}
          disabled={!file || name === '' || pathProblem !== undefined}
        >
          Import project
        </Button>
        {share !== undefined && <Button onClick={() => abort.current?.abort()}>Cancel upload</Button>}
      </div>
    </form>
  )
}
