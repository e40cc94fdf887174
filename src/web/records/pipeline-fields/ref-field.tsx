import { projectApi } from '../../../addresses/first-reads.js'
import { useRead } from '../../api/use-read.js'
import { SuggestedInput } from '../../kit/suggested-input.js'

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
  const base = `${projectApi(project)}/repository`
  const branches = useRead<{ name: string }[]>(`${base}/branches?per_page=100`).data ?? []
  const tags = useRead<{ name: string }[]>(`${base}/tags?per_page=100`).data ?? []
  return (
    <SuggestedInput
      label="Branch or tag"
      help={help}
      error={error}
      value={value}
      suggestions={[...branches, ...tags].map(({ name }) => name)}
      onChange={onChange}
    />
  )
}
