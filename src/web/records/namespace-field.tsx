import { useState } from 'preact/hooks'

import { Combobox } from '../kit/combobox.js'
import { type Namespace, useNamespaces } from './namespaces.js'

interface NamespaceFieldProps {
  label: string
  value: Namespace
  onChoose: (namespace: Namespace) => void
  error?: string | undefined
}

/** Chooses the group or the personal namespace of a new project. */
export function NamespaceField({ label, value, onChoose, error }: NamespaceFieldProps) {
  const [search, setSearch] = useState('')
  const { namespaces } = useNamespaces(search)
  return (
    <Combobox
      label={label}
      error={error}
      value={value.path}
      valueLabel={value.path}
      choices={namespaces.map(({ id, path }) => ({
        value: path,
        label: path,
        detail: id === undefined ? 'your account' : 'group',
      }))}
      onSearch={setSearch}
      onChoose={(choice) => {
        const chosen = namespaces.find(({ path }) => path === choice.value)
        if (chosen) onChoose(chosen)
      }}
      none="No namespace in which you may create projects has this name."
    />
  )
}
