import type { ApiErrorEntries } from './entry.js'

/** Errors of issues, merge requests, comments, labels and milestones. */
export const PLANNING = {
  note_blank: {
    status: 400,
    message: '400 Bad request - Note {:note=>["can\'t be blank"]}',
    remedy: 'Write a text.',
  },
  note_position_invalid: {
    status: 400,
    message: '400 Bad request - Note {:line_code=>["can\'t be blank", "must be a valid line code"]}',
    remedy: 'Name a file and a line that the version of the merge request has.',
  },
  commands_failed: {
    status: 400,
    message: 'Failed to apply commands.',
    remedy: 'Correct the quick actions: none of them could be applied.',
  },
  too_many_commands: {
    status: 400,
    message:
      '400 Bad request - A text may have at most <max> quick actions, and this one has <count>: none of them was applied, and nothing was saved',
    remedy: 'Split the quick actions over several comments.',
  },
  discussion_not_repliable: {
    status: 400,
    message: '400 Bad request - Discussion can not be replied to.',
    remedy: 'Begin another discussion: a system note has no replies.',
  },
  discussion_not_resolvable: {
    status: 400,
    message: '400 Bad request - Discussion can not be resolved.',
    remedy: 'Resolve only discussions of merge requests.',
  },
  draft_note_not_publishable: {
    status: 400,
    message: '400 Bad request - Draft note <id> cannot be published: <reason>',
    remedy: 'Delete the draft, or write it again as one that can be published: nothing was published.',
  },
  too_many_draft_notes: {
    status: 400,
    message: '400 Bad request - You may have at most <max> <of> in a merge request',
    remedy: 'Publish or delete some of your draft notes first.',
  },
  too_many_status_checks: {
    status: 400,
    message: '400 Bad request - A project may have at most <max> external status checks',
    remedy: 'Delete a status check that is not needed.',
  },
  status_check_not_failed: {
    status: 422,
    message: 'External status check must be failed',
    remedy: 'Wait for the answer of the service: only a check that has failed is retried.',
  },
  context_commits_exist: {
    status: 400,
    message: 'Context commits: <commits> are already created',
    remedy: 'Leave out the commits that the merge request shows already.',
  },
  too_many_context_commits: {
    status: 400,
    message: '400 Bad request - A merge request may have at most <max> context commits',
    remedy: 'Remove context commits that are not needed.',
  },
  approval_rules_not_overridable: {
    status: 403,
    message: '403 Forbidden - The project does not let merge requests have approval rules of their own',
    remedy:
      'Ask a maintainer to change the rule of the project, or to allow it with `disable_overriding_approvers_per_merge_request=false`.',
  },
  issue_exists: {
    status: 409,
    message: 'Duplicated issue',
    remedy: 'Leave out `iid`, or give one that is free.',
  },
  issue_link_exists: {
    status: 409,
    message: 'Issue(s) already assigned',
    remedy: 'Nothing: the issues are linked already.',
  },
  issue_not_movable: {
    status: 400,
    message: '<reason>',
    remedy: 'Choose another project in which you are a reporter. An issue can be moved once.',
  },
  issue_not_reorderable: {
    status: 422,
    message: '422 Unprocessable Entity',
    remedy: 'Name one or two other issues as neighbours, in their order.',
  },
  board_subject_unknown: {
    status: 400,
    message: '<kind> not found!',
    remedy: 'Name a label or milestone of the project or of its groups, or a user who sees the issues.',
  },
  list_not_movable: {
    status: 400,
    message: 'List could not be moved! Its board has the positions 0 to <last>.',
    remedy: 'Give a position that the board has.',
  },
  too_many_boards: {
    status: 400,
    message: '400 Bad request - A project or group may have at most <max> boards',
    remedy: 'Delete boards that are no longer used.',
  },
  too_many_lists: {
    status: 400,
    message: '400 Bad request - A board may have at most <max> lists',
    remedy: 'Delete lists that are no longer used, or create another board.',
  },
  child_epic_refused: {
    status: 400,
    message: '400 Bad request - <reason>',
    remedy: 'Choose another epic, or take epics out of others before.',
  },
  epic_item_not_reorderable: {
    status: 422,
    message: '422 Unprocessable Entity',
    remedy: 'Name one or two others of the same epic as neighbours, in their order.',
  },
  epic_link_exists: {
    status: 409,
    message: 'Epic(s) already assigned',
    remedy: 'Nothing: the epics are linked already.',
  },
  too_many_epic_links: {
    status: 400,
    message: '400 Bad request - An epic may have at most <max> links',
    remedy: 'Delete links that are no longer needed.',
  },
  too_many_epic_issues: {
    status: 400,
    message: '400 Bad request - An epic may have at most <max> issues',
    remedy: 'Divide the work over several epics.',
  },
  label_exists: {
    status: 409,
    message: 'Label already exists',
    remedy: 'Use the label that exists, or choose another name.',
  },
  label_not_promotable: {
    status: 400,
    message: 'Failed to promote project label to group label',
    remedy: 'Promote only labels of projects that are in a group.',
  },
  milestone_invalid: {
    status: 400,
    message: 'Failed to <verb> milestone {<problems>}',
    remedy: 'Correct the fields that the message names.',
  },
  milestone_not_promotable: {
    status: 400,
    message: 'Promotion failed - <reason>',
    remedy: 'Rename the milestone, or promote one of a project that is in a group.',
  },
  chat_user_taken: {
    status: 409,
    message: 'The chat user belongs to a user already',
    remedy: 'The other user removes the chat account first.',
  },
  merge_request_exists: {
    status: 409,
    isList: true,
    message: 'Another open merge request already exists for this source branch: !<iid>',
    remedy: 'Use the merge request that the message names, or close it.',
  },
  merge_request_duplicated: {
    status: 409,
    message: 'Duplicated merge request',
    remedy: 'The archive names a merge request twice: correct it.',
  },
  branches_are_equal: {
    status: 422,
    isList: true,
    message: "You can't use same project/branch for source and target",
    remedy: 'Choose another target branch.',
  },
  projects_unrelated: {
    status: 422,
    isList: true,
    message: 'Source project is not a fork of the target project',
    remedy: 'Choose the source of the fork, or a fork of the same source, as the target.',
  },
  merge_request_locked: {
    status: 409,
    message: 'The merge request is being merged by another request',
    remedy: 'Wait some seconds, and read the merge request again.',
  },
  merge_not_allowed: {
    status: 405,
    message: '405 Method Not Allowed',
    remedy: 'Read `detailed_merge_status` of the merge request, and remove the reason.',
  },
  merge_trains_disabled: {
    status: 400,
    message: 'Merge trains are not enabled for this project',
    remedy: 'Set `merge_trains_enabled` of the project, or merge the merge request.',
  },
  merge_request_without_commits: {
    status: 405,
    message: '405 Method Not Allowed',
    remedy: 'Push a commit to the source branch first.',
  },
  auto_merge_not_set: {
    status: 406,
    message: '406 Not Acceptable',
    remedy: 'Nothing: the merge request does not wait for its pipeline.',
  },
  sha_mismatch: {
    status: 409,
    message: 'SHA does not match HEAD of source branch: <head>',
    remedy: 'Review the new commits, and send the new head as `sha`.',
  },
  source_moved: {
    status: 409,
    message: 'The source branch has moved, and its new commits are being compared. Please try again.',
    remedy: 'Try again after some seconds.',
  },
  conflicts_outdated: {
    status: 409,
    message: 'The source or the target branch has other commits than those whose conflicts were resolved',
    remedy: 'Read the conflicts again, and resolve what is new.',
  },
  target_moved: {
    status: 409,
    message: 'Merge failed: others have moved the target branch in the meantime. Please try again.',
    remedy: 'Try again.',
  },
  target_changed: {
    status: 409,
    message: 'The target branch of the merge request was changed by another request',
    remedy: 'Read the merge request again, and merge it if the new target is right.',
  },
  merge_method_changed: {
    status: 409,
    message: 'Another request has changed how the merge request is merged. Please try again.',
    remedy: 'Read the settings again, and repeat the merge if they are right.',
  },
  branch_not_mergeable: {
    status: 422,
    message: 'Branch cannot be merged',
    remedy: 'Rebase the source branch, or resolve the conflicts locally and push.',
  },
  merge_ref_not_available: {
    status: 400,
    message: '400 Bad request - Merge request is not mergeable',
    remedy: 'Resolve the conflicts, or wait until the branches were compared.',
  },
  source_branch_forbidden: {
    status: 403,
    message: '403 Forbidden - Cannot push to source branch',
    remedy: 'Ask the author to rebase, or for permission to push to the source branch.',
  },
  source_branch_protected: {
    status: 403,
    message: '403 Forbidden - Source branch is protected from force push',
    remedy: 'Allow force pushes to the branch, or merge the target branch into it.',
  },
  suggestion_not_applicable: {
    status: 400,
    message: '400 Bad request - A suggestion is not applicable.',
    remedy:
      'Make the change by hand: it was applied, its lines have changed, or the merge request is closed.',
  },
  suggestions_of_several: {
    status: 400,
    message: '400 Bad request - The suggestions belong to several merge requests.',
    remedy: 'Apply the suggestions of each merge request in a request of its own.',
  },
  push_option_no_merge_request: {
    status: 400,
    message: 'A merge request for <branch> does not exist',
    remedy: 'Add the push option `merge_request.create`.',
  },
  push_option_no_target: {
    status: 404,
    message: 'The target project <project> does not exist',
    remedy: 'Correct the push option `merge_request.target_project`.',
  },
  push_option_merge_forbidden: {
    status: 401,
    message: 'You are not allowed to merge into <branch>',
    remedy: 'Leave out the push option that merges, or ask a maintainer for the permission.',
  },
  imported_emoji_unknown: {
    status: 400,
    message: '400 Bad request - award_emoji: <name> is not a valid emoji name',
    remedy: 'Correct the archive of the import.',
  },
  imported_milestones_too_many: {
    status: 400,
    message: '400 Bad request - milestone_events: too many milestones',
    remedy: 'Correct the archive of the import.',
  },
  imported_note_without_subject: {
    status: 400,
    message: '400 Bad request - one of issue, merge_request and commit must be given',
    remedy: 'Correct the archive of the import.',
  },
} as const satisfies ApiErrorEntries
