import type { DiffVersion } from '../../../../coordinator/planning/merge-requests/diffs/schema.js'
import { Select } from '../../../kit/field.js'
import { Tools } from '../../../kit/tools.js'

interface VersionChoiceProps {
  /** The newest first. */
  versions: readonly DiffVersion[]
  chosen: DiffVersion
  /** The version from which the changes are shown; undefined for the target branch. */
  from: DiffVersion | undefined
  onChoose: (changes: { version?: string | undefined; from?: string | undefined }) => void
}

/** Chooses a version, and what it is compared with. */
export function VersionChoice({ versions, chosen, from, onChoose }: VersionChoiceProps) {
  if (versions.length === 1) return null
  const choiceOf = (version: DiffVersion) => {
    const number = versions.length - versions.indexOf(version)
    const latest = version === versions[0] ? ', the latest' : ''
    const sha = version.head_commit_sha.slice(0, 8)
    return { value: String(version.id), label: `Version ${number} (${sha}${latest})` }
  }
  return (
    <Tools>
      <Select
        label="Changes of"
        value={String(chosen.id)}
        onInput={(id) =>
          onChoose({ version: id === String(versions[0]?.id) ? undefined : id, from: undefined })
        }
        choices={versions.map(choiceOf)}
      />
      <Select
        label="Compared with"
        value={from ? String(from.id) : ''}
        onInput={(id) => onChoose({ from: id || undefined })}
        choices={[
          { value: '', label: 'the target branch' },
          ...versions.slice(versions.indexOf(chosen) + 1).map(choiceOf),
        ]}
      />
    </Tools>
  )
}
