import { boot } from '../../api/boot.js'
import { Input } from '../../kit/field.js'
import { NamespaceField } from '../../records/namespace-field.js'
import { VisibilityField } from '../../records/visibility-field.js'
import styles from './projects.module.css'
import type { Destination } from './use-destination.js'

interface DestinationFieldsProps {
  destination: Destination
  /** What the server refused, by field. */
  errors: Record<string, string>
  autoFocus?: boolean
}

/** Name, namespace and path of a new project. What is wrong is said at its field while one types. */
export function DestinationFields({ destination, errors, autoFocus = false }: DestinationFieldsProps) {
  const { name, setName, path, setPath, namespace, setNamespace, pathProblem } = destination
  const problem = pathProblem ?? errors['path']
  return (
    <>
      <Input
        label="Project name"
        value={name}
        onInput={setName}
        error={sentence(errors['name'])}
        required
        autoFocus={autoFocus}
        autoComplete="off"
      />
      <div class={styles['destination']}>
        <NamespaceField
          label="Namespace"
          value={namespace}
          onChoose={setNamespace}
          error={sentence(errors['namespace'])}
        />
        <Input
          label="Path"
          value={path}
          onInput={setPath}
          error={sentence(problem)}
          help={path === '' ? 'Follows the name.' : `${boot.external_url}/${namespace.path}/${path}`}
          required
          autoComplete="off"
          spellcheck={false}
        />
      </div>
    </>
  )
}

interface DestinationVisibilityProps {
  destination: Pick<Destination, 'namespace'>
  value: string
  onInput: (visibility: string) => void
}

/** Who sees the new project: no more people than its namespace. */
export function DestinationVisibility({
  destination: { namespace },
  value,
  onInput,
}: DestinationVisibilityProps) {
  return (
    <VisibilityField
      value={value}
      onInput={onInput}
      most={namespace.visibility}
      reason={`The group is ${namespace.visibility}`}
    />
  )
}

/** "has already been taken" as a sentence of its own. */
function sentence(problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `This ${problem}.`.replace(/\.\.$/, '.')
}
