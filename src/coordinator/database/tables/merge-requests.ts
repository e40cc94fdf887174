import type { Default, Id, Timestamp } from '../columns.js'

/** `locked`: a merge is being made; short. */
export type MergeRequestState = 'opened' | 'closed' | 'locked' | 'merged'
/** Whether the source branch can be merged without conflicts, as of the last check. */
type MergeStatus = 'unchecked' | 'checking' | 'can_be_merged' | 'cannot_be_merged'
export type ReviewState = 'unreviewed' | 'reviewed' | 'requested_changes' | 'approved' | 'unapproved'

/** A merge request of the target project. */
export interface MergeRequestTable {
  id: Id
  /** The target project. */
  project_id: number
  /** Number within the target project; never used again. */
  iid: number
  /** The project of the source branch, a fork or the target itself; null = it was deleted. */
  source_project_id: number | null
  /** Short names. */
  source_branch: string
  target_branch: string
  title: string
  description: string | null
  state: Default<MergeRequestState>
  /** Whether the title marks it as a draft. */
  draft: Default<boolean>
  author_id: number
  milestone_id: number | null
  /** Whether only members may comment; null = never set. */
  discussion_locked: boolean | null
  squash: Default<boolean>
  /** Whether the source branch is to be deleted after the merge. */
  force_remove_source_branch: Default<boolean>
  /**
   * The user who requested the deletion, and whose right to delete the branch counts; null = nobody is known, so the
   * branch stays.
   */
  remove_source_branch_by_id: number | null
  /** Whether members of the target project who may merge may push to the source branch of a fork. */
  allow_collaboration: Default<boolean>
  /** The user who allows that, and whose right to push counts; null = nobody is known, so nobody may push. */
  collaboration_by_id: number | null
  /** Head of the source branch as of the latest version; null = not known yet. */
  head_sha: string | null
  merge_status: Default<MergeStatus>
  /** Heads of both branches for which `merge_status` was found; null = never. */
  checked_head_sha: string | null
  checked_target_sha: string | null
  /** Why the last merge or rebase failed; null = it did not. */
  merge_error: string | null
  /** Whether a rebase was requested and is not finished. */
  rebase_in_progress: Default<boolean>
  /** Head that a rebase with `skip_ci` has made; null = none. */
  unbuilt_head_sha: string | null
  /** Whether it is merged when the head pipeline succeeds. */
  merge_when_pipeline_succeeds: Default<boolean>
  /** The user who merges it, or who has asked for it to be merged when the pipeline succeeds. */
  merge_user_id: number | null
  /** JSON: the parameters of that merge; null = none. */
  merge_params: string | null
  /** While `locked`: the commit to which the merge moves the target branch. */
  in_progress_merge_sha: string | null
  merge_commit_sha: string | null
  squash_commit_sha: string | null
  merged_at: Timestamp | null
  merged_by_id: number | null
  closed_at: Timestamp | null
  closed_by_id: number | null
  /** In seconds. */
  time_estimate: Default<number>
  /** Numbers of the emoji `thumbsup` and `thumbsdown`. */
  upvotes: Default<number>
  downvotes: Default<number>
  /** In seconds. */
  total_time_spent: Default<number>
  updated_by_id: number | null
  /** Time of the last change of title or description. */
  last_edited_at: Timestamp | null
  last_edited_by_id: number | null
  /** Time at which the first version was stored; null = not yet. */
  prepared_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface MergeRequestAssigneeTable {
  merge_request_id: number
  user_id: number
  /** Order of the assignees; the first one is `assignee` of the record. */
  position: number
}

export interface MergeRequestReviewerTable {
  merge_request_id: number
  user_id: number
  position: number
  state: Default<ReviewState>
  created_at: Timestamp
}

/** A user's choice about notifications; without one, participants are subscribed. */
export interface MergeRequestSubscriptionTable {
  merge_request_id: number
  user_id: number
  subscribed: boolean
}

/** A label of a merge request: one of its project, or of a group above the project. */
export interface MergeRequestLabelTable {
  merge_request_id: number
  label_id: number
}

/** An issue that the description or the commits of a merge request name. */
export interface MergeRequestIssueTable {
  merge_request_id: number
  issue_id: number
  /** Whether it is closed when the merge request is merged. */
  closes: Default<boolean>
}

/** The commits and changes of a merge request as of one push. */
export interface MergeRequestVersionTable {
  id: Id
  merge_request_id: number
  /** Head of the source branch. */
  head_sha: string
  /** Merge base of the two branches. */
  base_sha: string
  /** Head of the target branch. */
  start_sha: string
  commit_count: number
  /** Number of changed files. */
  file_count: number
  /** The user whose push made it; null = nobody is known. */
  pushed_by_id: number | null
  /** Whether everything that follows from it was done, such as its pipeline. */
  reported: Default<boolean>
  created_at: Timestamp
}

/**
 * A merge request to be compared with its branches in the background: a branch has moved, or its state was
 * asked for. The worker deletes the row unless `generation` has changed since it read the row.
 */
export interface MergeRequestRefreshTable {
  id: Id
  merge_request_id: number
  /** The target project. */
  project_id: number
  /** The user who has pushed last; null = nobody has. */
  pushed_by_id: number | null
  generation: Default<number>
  /** End of the claim of a worker; null = unclaimed. */
  claimed_until: Timestamp | null
  created_at: Timestamp
}

/** It counts only for the head and the target for which it was given. */
export interface MergeRequestApprovalTable {
  merge_request_id: number
  user_id: number
  /** Head of the source branch; null = given before it was stored. */
  head_sha: string | null
  target_branch: string | null
  created_at: Timestamp
}
