import type { Step } from '../run.js'
import type { BulkImportEntity } from '../store.js'
import { projectStep, subgroupStep } from './children.js'
import { createGroupStep } from './create-group.js'
import { createProjectStep } from './create-project.js'
import { issueStep } from './issues.js'
import { labelStep, milestoneStep } from './labels-and-milestones.js'
import { groupRunnerStep, projectRunnerStep, variableStep } from './left-out.js'
import { memberStep } from './members.js'
import { mergeRequestStep } from './merge-requests.js'
import { releaseStep, scheduleStep } from './releases-and-schedules.js'
import { repositoryStep } from './repository.js'

/** In this order: members can be assigned to issues, which have labels and milestones; merge requests need the repository. */
const STEPS: Record<BulkImportEntity['source_type'], readonly Step[]> = {
  group_entity: [
    createGroupStep,
    ...[labelStep, milestoneStep, memberStep, variableStep, groupRunnerStep],
    // Last, so that what is in the group finds its labels, milestones and members.
    ...[subgroupStep, projectStep],
  ],
  project_entity: [
    createProjectStep,
    ...[repositoryStep, labelStep, milestoneStep, memberStep, issueStep, mergeRequestStep],
    ...[releaseStep, scheduleStep, variableStep, projectRunnerStep],
  ],
}

export function stepsOf({ source_type }: Pick<BulkImportEntity, 'source_type'>): readonly Step[] {
  return STEPS[source_type]
}

/** What no import takes over, for the report. */
export const NEVER_IMPORTED = [
  'pipelines, jobs, logs and artifacts',
  'values of CI/CD variables',
  'runners',
  'wikis, snippets, boards, epics and uploaded files of texts',
  'Git LFS objects, packages and container images',
  'rules for branches, tags and environments',
  'webhooks, integrations, tokens and deploy keys',
  'notes that record changes, emoji and approvals',
]
