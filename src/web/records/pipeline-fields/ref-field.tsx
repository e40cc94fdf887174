import { useId } from 'preact/hooks'

import { projectApi } from '../../../addresses/first-reads.js'
import { useRead } from '../../api/use-read.js'
import { Field } from '../../kit/field.js'
import styles from './fields.module.css'

interface RefFieldProps {
  project: string
  value: string
  /** Called when the name is complete. */
  onChange: (ref: string) => void
  help?: string
  error?: string | undefined
}

/** The name of a branch or tag, with suggestions. */
export function RefField({ project, value, onChange, help, error }: RefFieldProps) {
  const list = useId()
  const base = `${projectApi(project)}/repository`
  const branches = useRead<{ name: string }[]>(`${base}/branches?per_page=100`).data ?? []
  const tags = useRead<{ name: string }[]>(`${base}/tags?per_page=100`).data ?? []
  return (
    <Field label="Branch or tag" help={help} error={error}>
      {(ids) => (
        <>
          <input
            {...ids}
            class={styles['ref']}
            list={list}
            value={value}
            required
            spellcheck={false}
            autoComplete="off"
            onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
          />
          <datalist id={list}>
            {[...branches, ...tags].map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
