import { featureFlagOperations } from '../../../../src/coordinator/ci/feature-flags/operations.js'
import { emitFeatureFlagEvent } from '../../../../src/coordinator/integrations/webhooks/outbox/emit-feature-flag-event.js'
import type { OpenDatabase } from '../../../support/databases.js'
import type { Person } from '../../support/test-app.js'
import { openPlanningApi } from '../support/planning-api.js'

export type { StatusAndBody } from '../support/planning-api.js'

export interface Listed {
  id: number
  iid: number
  title: string
}

/** Branches that every project has. */
const BRANCHES = ['main', 'next', 'feature', 'fix', ...Array.from({ length: 20 }, (_, index) => `b${index}`)]

/** The API with the public project `team/app`, whose branches have no commits. */
export async function openMergeRequestScene(open: OpenDatabase) {
  const api = await openPlanningApi(open, {
    branches: BRANCHES,
    listOthers: (all, deps) => featureFlagOperations({ ...all, ...deps, onSwitched: emitFeatureFlagEvent }),
  })
  const { ok } = api
  const visibility = 'public'
  const group = await ok('POST /groups', { name: 'Team', path: 'team', visibility })
  const project = await ok('POST /projects', { name: 'app', namespace_id: group.id, visibility })
  const P = `/projects/${project.id}`
  return {
    ...api,
    group: group.id,
    project: project.id,
    P,
    /** Creates a merge request from `feature` into `main`. */
    make: (body: object = {}, as?: Person) =>
      ok(
        `POST ${P}/merge_requests`,
        { source_branch: 'feature', target_branch: 'main', title: 'New', ...body },
        as,
      ),
    /** A fork that belongs to the owner. */
    fork: async (owner: Person) => {
      const fork = await ok('POST /projects', { name: `fork-of-${owner.username}`, visibility }, owner)
      await ok(`POST /projects/${fork.id}/fork/${project.id}`)
      return fork.id
    },
  }
}
