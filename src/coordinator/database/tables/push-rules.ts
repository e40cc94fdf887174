import type { Default, Id, Timestamp } from '../columns.js'

/**
 * Rules for the commits, branches and files that are pushed to a project, or to new projects of a group or of the
 * instance.
 */
export interface PushRuleTable {
  id: Id
  /** One of the three is set. */
  project_id: number | null
  group_id: number | null
  is_of_instance: true | null
  commit_message_regex: string | null
  commit_message_negative_regex: string | null
  branch_name_regex: string | null
  author_email_regex: string | null
  /** Names that match are refused. */
  file_name_regex: string | null
  deny_delete_tag: Default<boolean>
  /** Whether authors must be users of this instance. */
  member_check: Default<boolean>
  prevent_secrets: Default<boolean>
  /** Whether the user who pushes must be the committer. */
  commit_committer_check: Default<boolean>
  reject_unsigned_commits: Default<boolean>
  /** In MB; 0 = no limit. */
  max_file_size: Default<number>
  created_at: Timestamp
}
