import type { ApiErrorEntries } from './entry.js'

/** Errors of projects, repositories, releases, snippets and wikis. */
export const HOSTING = {
  push_forbidden: {
    status: 403,
    message: '403 Forbidden - You are not allowed to push into this branch',
    remedy: 'Choose another branch and create a merge request, or ask a maintainer for permission to push.',
  },
  ref_change_forbidden: {
    status: 403,
    message: '403 Forbidden - <reason>',
    remedy: 'Ask a maintainer to change the protection that the message names.',
  },
  owned_files_changed: {
    status: 403,
    message: '403 Forbidden - <reason>',
    remedy: 'Change the files in another branch and open a merge request, which their owners approve.',
  },
  commit_rules_violated: {
    status: 400,
    message: '<reason>',
    remedy: 'Change message, author or files of the commit as the push rule requires.',
  },
  change_refused: {
    status: 400,
    message: '<reason>',
    remedy: 'Read the branch again, and correct the change.',
  },
  change_conflicts: {
    status: 400,
    message:
      'Sorry, we cannot <verb> this commit automatically. This commit may already have been <done>, or a more recent commit may have updated some of its content.',
    remedy: 'Make the change locally and push it. `error_code` is `conflict` or `empty`.',
  },
  revision_not_found: {
    status: 400,
    message: 'Invalid reference name: <ref>',
    remedy: 'Give a branch, a tag or the SHA of a commit that exists.',
  },
  start_project_unrelated: {
    status: 403,
    message: '403 Forbidden - start_project is neither a fork nor the source of this project',
    remedy: 'Begin at a branch of this project, of its source or of a fork.',
  },
  compared_project_unrelated: {
    status: 400,
    message: '400 Bad request - from_project_id is neither a fork nor the source of this project',
    remedy: 'Compare with this project, its source or a fork.',
  },
  too_few_refs: {
    status: 400,
    message: 'Provide at least 2 refs',
    remedy: 'Send `refs[]` twice or more.',
  },
  refs_not_found: {
    status: 400,
    message: 'Could not find <refs>',
    remedy: 'Give branches, tags or SHAs of commits that exist.',
  },
  branch_name_invalid: {
    status: 400,
    message: 'The branch refname is invalid',
    remedy: 'Encode the name of the branch in the path: `/` as `%2F`.',
  },
  branch_refused: {
    status: 400,
    message: '<reason>',
    remedy: 'Choose another name, or another revision to begin at.',
  },
  branch_not_deletable: {
    status: 405,
    message: '<reason>',
    remedy: 'Make another branch the default branch, or remove the protection first.',
  },
  tag_refused: {
    status: 405,
    message: '<reason>',
    remedy: 'Choose another name, or another revision for the tag.',
  },
  tag_missing: {
    status: 404,
    message: 'Tag does not exist',
    remedy: 'Create the tag first.',
  },
  tag_protected: {
    status: 403,
    message: "403 Forbidden - You are not allowed to work with the protected tag '<tag>'",
    remedy: 'Ask a maintainer to let your role create the tag.',
  },
  protected_branch_exists: {
    status: 409,
    message: "Protected branch '<name>' already exists",
    remedy: 'Change the protection that exists.',
  },
  protected_tag_exists: {
    status: 409,
    message: "Protected tag '<name>' already exists",
    remedy: 'Delete the protection that exists, and create it again.',
  },
  ref_access_invalid: {
    status: 422,
    isList: true,
    message: '<reason>',
    remedy: 'Correct the users, groups and access levels of the protection.',
  },
  push_rule_exists: {
    status: 422,
    key: 'error',
    message: '<owner> push rule exists',
    remedy: 'Change the push rule with PUT.',
  },
  changelog_failed: {
    status: 422,
    message: 'Failed to generate the changelog: <reason>',
    remedy: 'Correct the parameters, or the configuration of the changelog in the repository.',
  },
  changelog_commit_forbidden: {
    status: 403,
    message: '403 Forbidden - You are not allowed to commit a changelog on this branch',
    remedy: 'Choose another `branch`, or ask a maintainer for permission to push.',
  },
  release_exists: {
    status: 409,
    message: 'Release already exists',
    remedy: 'Change the release with PUT.',
  },
  release_missing: {
    status: 404,
    message: 'Release does not exist',
    remedy: 'Create the release first.',
  },
  release_not_found: {
    status: 404,
    message: '404 Not Found',
    remedy: 'Check the name of the tag.',
  },
  release_refused: {
    status: 422,
    message: '<reason>',
    remedy: 'Give `ref` for a tag that does not exist yet, and a valid name of a tag.',
  },
  release_links_ambiguous: {
    status: 400,
    message: 'The links of a release must have different names, URLs and file paths',
    remedy: 'Change the links that have the same name, URL or `direct_asset_path`.',
  },
  release_milestones_not_found: {
    status: 400,
    message: '<what> not found: <unknown>',
    remedy: 'Name milestones of the project or of its groups.',
  },
  evidence_limit_reached: {
    status: 422,
    message: 'Maximum number of <what> (<max>) exceeded',
    remedy: 'Use the evidence that exists: the release has as many as it may have.',
  },
  snippet_changed: {
    status: 409,
    message: 'The snippet has changed in the meantime',
    remedy: 'Read the snippet again, and repeat the change.',
  },
  topics_identical: {
    status: 400,
    message: 'The source topic and the target topic are identical.',
    remedy: 'Name two topics.',
  },
  wiki_changed: {
    status: 409,
    message: 'The wiki has changed in the meantime',
    remedy: 'Read the page again, and repeat the change.',
  },
  wiki_page_changed: {
    status: 409,
    message: 'The wiki page was changed since `last_commit_id`',
    remedy: 'Read the page again, and repeat the change with its last commit.',
  },
  wiki_page_too_large: {
    status: 422,
    message: '<what> too large to be shown: clone the repository of the wiki',
    remedy: 'Clone the repository of the wiki.',
  },
  mirrors_disabled: {
    status: 403,
    message: '403 Forbidden - Mirrors are disabled',
    remedy: 'Ask an administrator to allow mirrors.',
  },
  push_mirror_disabled: {
    status: 400,
    message: 'Cannot proceed with the push mirroring. Please verify your mirror configuration.',
    remedy: 'Enable the mirror first.',
  },
  not_mirrored: {
    status: 400,
    message: 'The project is not mirrored',
    remedy: 'Set up a pull mirror of the project first.',
  },
  badge_of_group: {
    status: 403,
    message: '403 Forbidden - To change a badge of a group, use the endpoints of the group',
    remedy: 'Change the badge with `/groups/:id/badges/:badge_id`.',
  },
  housekeeping_running: {
    status: 409,
    message: 'Housekeeping is already running',
    remedy: 'Wait until it has ended.',
  },
  bulk_imports_too_many: {
    status: 429,
    message: 'You have <max> imports that have not ended',
    remedy: 'Wait for the end of one of them, or cancel one with `POST /bulk_imports/:import_id/cancel`.',
  },
  bulk_import_ended: {
    status: 422,
    message: 'The import has ended already',
    remedy: 'Nothing: what it has imported stays.',
  },
  project_limit_reached: {
    status: 403,
    key: 'error',
    isList: true,
    message: 'Your project limit is <max> projects! Please contact your administrator to increase it',
    remedy: 'Delete a project, create it in a group, or ask an administrator for a higher limit.',
  },
  import_source_disabled: {
    status: 403,
    message: '403 Forbidden - The import source <source> is disabled',
    remedy: 'Ask an administrator to enable the import source.',
  },
  templates_not_supported: {
    status: 400,
    message: '400 Bad request - <parameter> is not supported: create the project without a template',
    remedy: 'Create an empty project, or import one with `import_url`.',
  },
  export_disabled: {
    status: 403,
    message: '403 Forbidden - Project export is disabled',
    remedy: 'Ask an administrator to enable exports.',
  },
  export_upload_not_supported: {
    status: 400,
    message:
      '400 Bad request - Uploading the archive is not supported: download it when the export is finished',
    remedy: 'Leave out `upload`, and download the archive.',
  },
  fork_name_taken: {
    status: 409,
    message: '<problems by field>',
    remedy: 'Give another `name` or `path`, or fork into another namespace.',
  },
  fork_too_visible: {
    status: 409,
    message: '<visibility> is not allowed since the fork source project has lower visibility.',
    remedy: 'Choose the visibility of the source, or a lower one.',
  },
  fork_of_itself: {
    status: 400,
    message: "A project can't be a fork of itself",
    remedy: 'Name another project as the source.',
  },
  already_forked: {
    status: 409,
    message: 'Project already forked',
    remedy: 'Delete the fork relation that exists first.',
  },
  project_already_marked: {
    status: 400,
    message: 'Project has been already marked for deletion',
    remedy: 'Wait for the deletion, or delete the project now with `permanently_remove`.',
  },
  project_not_marked: {
    status: 400,
    message: 'Project has not been marked for deletion',
    remedy: 'Restore only a project that is marked for deletion.',
  },
  project_not_deletable: {
    status: 400,
    message: '<reason>',
    remedy: 'Mark the project for deletion first, then send its complete path as `full_path`.',
  },
  project_name_taken: {
    status: 409,
    message:
      'The project cannot be <outcome>: another project or group has <names>. Rename or move it, and try again',
    remedy: 'Rename or move the other project or group.',
  },
  project_transfer_failed: {
    status: 400,
    message: 'Failed to transfer project <reason>',
    remedy: 'Choose a namespace in which you may create projects and whose projects have other names.',
  },
  job_token_entry_exists: {
    status: 409,
    message: 'The <kind> is already on the job token allowlist',
    remedy: 'Nothing: its jobs have access already.',
  },
  job_token_entry_is_own: {
    status: 400,
    message:
      '400 Bad request - A project always accepts its own job tokens: it cannot be removed from its job token allowlist',
    remedy: 'Remove other projects only.',
  },
  job_token_allowlist_full: {
    status: 400,
    message:
      '400 Bad request - A job token allowlist is limited to <max> projects and groups: remove some, or add a group that contains them',
    remedy: 'Remove entries, or add a group that contains the projects.',
  },
} as const satisfies ApiErrorEntries
