import type { Static } from 'typebox'

import { inTransaction } from '../../database/transaction.js'
import { isTitleTaken } from '../../hosting/milestone-store.js'
import type { ProjectOrGroup } from '../../hosting/owner-scope.js'
import { createLabel } from '../../planning/labels/labels.js'
import { createMilestone } from '../../planning/milestones/milestones.js'
import { findLabel } from '../../planning/stores/label-store.js'
import type { EntityRun, Step } from '../run.js'
import { SourceLabel, SourceMilestone } from '../source/records.js'
import { listStep, PRESENT } from './list-step.js'

export const labelStep: Step = listStep({
  kind: 'labels',
  // Those of groups above are imported there.
  path: 'labels?with_counts=false&include_ancestor_groups=false',
  schema: SourceLabel,
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  decide: async (run, { name }) => ((await hasLabel(run, name.trim())) ? PRESENT : undefined),
  write: async ({ deps, group, project }, { name, color, description, priority }) => {
    const label = { name, color, description: description ?? null }
    if (project)
      await createLabel(deps.database, { project_id: project.id }, { ...label, priority: priority ?? null })
    else if (group) await createLabel(deps.database, { group_id: group.id }, label)
  },
})

async function hasLabel({ deps, project, group }: EntityRun, name: string): Promise<boolean> {
  const owner = ownerIn({ project, group })
  return owner !== undefined && (await findLabel(deps.database, owner, { name })) !== undefined
}

export const milestoneStep: Step = listStep({
  kind: 'milestones',
  path: 'milestones?include_ancestors=false&include_parent_milestones=false',
  schema: SourceMilestone,
  keyOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  decide: async ({ deps, ...run }, { title }) => {
    const owner = ownerIn(run)
    const isThere =
      owner && (await inTransaction(deps.database, (tx) => isTitleTaken(tx, owner, title.trim())))
    return isThere ? PRESENT : undefined
  },
  write: async ({ deps, ...run }, milestone) => {
    const owner = ownerIn(run)
    if (owner) await createMilestone(deps.database, owner, milestoneFrom(milestone))
  },
})

function milestoneFrom({ title, description, start_date, due_date, state }: Static<typeof SourceMilestone>) {
  const dates = { start_date: start_date ?? null, due_date: due_date ?? null }
  return { title, description: description ?? null, ...dates, ...(state && { state }) }
}

/** The copy to which labels and milestones belong; undefined in a dry run of something that does not exist yet. */
function ownerIn({ project, group }: Pick<EntityRun, 'project' | 'group'>): ProjectOrGroup | undefined {
  if (project) return { project_id: project.id }
  return group && { group_id: group.id }
}
