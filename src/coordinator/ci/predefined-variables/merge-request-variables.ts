import type { ContextVariable } from '../../../ci-config/context-variable.js'
import { listOf } from '../../../ci-config/variables/list-of.js'
import { mergeRequestRef, trainRef } from '../../../git/names.js'

/** Characters after which the description of a merge request is cut. */
const MAX_DESCRIPTION = 2700

interface MergeRequestProject {
  id: number
  /** Full path. */
  path: string
}

/** The facts about the merge request of a pipeline in variables. */
export interface EventMergeRequest {
  id: number
  iid: number
  /** The target project. */
  project: MergeRequestProject
  /** Undefined if it was deleted. */
  sourceProject: MergeRequestProject | undefined
  sourceBranch: string
  isSourceProtected: boolean
  targetBranch: string
  isTargetProtected: boolean
  title: string
  draft: boolean
  description: string
  /** Usernames. */
  assignees: string[]
  /** Names. */
  labels: string[]
  /** Title. */
  milestone: string | undefined
  /** Whether its commits are squashed by the merge. */
  squash: boolean
  /** Its version with the commit of the pipeline, and the merge base of the branches; undefined if unknown. */
  diff: { id: number; baseSha: string } | undefined
  /** In a merge train: the commits of which the commit of the pipeline is the result. */
  merged: { source: string; target: string } | undefined
}

/**
 * Variables of the pipelines of a merge request and their child pipelines (CI language, 8.7). References in the texts
 * of users are not expanded.
 */
export function mergeRequestVariables(externalUrl: string, facts: EventMergeRequest): ContextVariable[] {
  const { project, sourceProject, diff, merged } = facts
  const description = Array.from(facts.description)
  return [
    ...listOf({
      CI_MERGE_REQUEST_ID: facts.id,
      CI_MERGE_REQUEST_IID: facts.iid,
      CI_MERGE_REQUEST_REF_PATH: merged ? trainRef(facts.iid) : mergeRequestRef(facts.iid),
      CI_MERGE_REQUEST_PROJECT_ID: project.id,
      CI_MERGE_REQUEST_PROJECT_PATH: project.path,
      CI_MERGE_REQUEST_PROJECT_URL: `${externalUrl}/${project.path}`,
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: sourceProject?.id,
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: sourceProject?.path,
      CI_MERGE_REQUEST_SOURCE_PROJECT_URL: sourceProject && `${externalUrl}/${sourceProject.path}`,
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: facts.sourceBranch,
      CI_MERGE_REQUEST_SOURCE_BRANCH_PROTECTED: String(facts.isSourceProtected),
      // Only pipelines for the merged result have the two commits.
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: merged?.source ?? '',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: facts.targetBranch,
      CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED: String(facts.isTargetProtected),
      CI_MERGE_REQUEST_TARGET_BRANCH_SHA: merged?.target ?? '',
      CI_MERGE_REQUEST_EVENT_TYPE: merged ? 'merge_train' : 'detached',
      CI_MERGE_REQUEST_DRAFT: String(facts.draft),
      CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED: String(description.length > MAX_DESCRIPTION),
      CI_MERGE_REQUEST_SQUASH_ON_MERGE: String(facts.squash),
      CI_MERGE_REQUEST_DIFF_ID: diff?.id,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: diff?.baseSha,
    }),
    ...listOf({
      CI_MERGE_REQUEST_TITLE: facts.title,
      CI_MERGE_REQUEST_DESCRIPTION: description.slice(0, MAX_DESCRIPTION).join(''),
      CI_MERGE_REQUEST_ASSIGNEES: joined(facts.assignees),
      CI_MERGE_REQUEST_LABELS: joined(facts.labels),
      CI_MERGE_REQUEST_MILESTONE: facts.milestone,
    }).map((variable) => ({ ...variable, raw: true })),
  ]
}

/** Separated by commas; undefined if there are none. */
function joined(names: string[]): string | undefined {
  return names.length === 0 ? undefined : names.join(',')
}
