import { addressOf } from '../../../addresses/address-of.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'

interface RunnerLinkProps {
  project: string
  runner: { id: number; description: string | null }
}

/** The name of the runner of a job, which leads to its page for those who manage the runners of the project. */
export function RunnerLink({ project, runner: { id, description } }: RunnerLinkProps) {
  const { may } = useProjectAbilities(project)
  const name = description || `#${id}`
  if (!may('admin_runners')) return <>{name}</>
  return <a href={addressOf('runners/runner', { project, id: String(id) })}>{name}</a>
}
