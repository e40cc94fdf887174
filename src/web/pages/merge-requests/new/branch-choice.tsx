import { queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { Select } from '../../../kit/field.js'
import { Panel } from '../../../kit/panel.js'
import { SuggestedInput } from '../../../kit/suggested-input.js'
import styles from './branch-choice.module.css'

export interface Branches {
  source: string
  target: string
}

interface TargetProject {
  id: number
  path: string
}

interface BranchChoiceProps {
  project: string
  branches: Branches
  target: TargetProject
  /** The project of which this one is a fork. */
  upstream: TargetProject | undefined
  ownId: number
  onChoose: (changes: { source?: string; target?: string; targetProject?: number }) => void
}

/** Chooses the branch to merge, and the one into which it is merged. */
export function BranchChoice({ project, branches, target, upstream, ownId, onChoose }: BranchChoiceProps) {
  const own = useBranches(project)
  const theirs = useBranches(target.path)
  return (
    <Panel>
      <div class={styles['choice']}>
        <SuggestedInput
          label="Source branch"
          help="Its commits are merged."
          value={branches.source}
          suggestions={own}
          error={
            branches.source !== '' && branches.source === branches.target && target.id === ownId
              ? 'The branches are the same.'
              : undefined
          }
          onChange={(source) => onChoose({ source })}
        />
        {upstream && (
          <Select
            label="Target project"
            value={String(target.id)}
            onInput={(id) => onChoose({ targetProject: Number(id) })}
            choices={[
              { value: String(ownId), label: project },
              { value: String(upstream.id), label: upstream.path },
            ]}
          />
        )}
        <SuggestedInput
          label="Target branch"
          help="It gets the commits."
          value={branches.target}
          suggestions={theirs}
          onChange={(into) => onChoose({ target: into })}
        />
      </div>
    </Panel>
  )
}

function useBranches(project: string): string[] {
  const path = `${projectApi(project)}/repository/branches${queryOf({ per_page: 100 })}`
  return (useRead<{ name: string }[]>(path, { staleTime: 60_000 }).data ?? []).map(({ name }) => name)
}
