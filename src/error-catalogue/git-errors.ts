import type { ApiErrorEntries } from './api/entry.js'

/** Refusals of git requests. Git shows the message after `remote:`. */
export const GIT_ERRORS = {
  git_credentials_required: {
    status: 401,
    message: 'HTTP Basic: Access denied. Use any username, and a personal access token as the password.',
    remedy: 'Give a token with the scope `read_repository` or `write_repository` as the password.',
  },
  git_project_not_found: {
    status: 404,
    message: "The project you were looking for could not be found or you don't have permission to view it.",
    remedy: 'Check the path, and that the user of the token or key may see the project.',
  },
  git_repository_missing: {
    status: 404,
    message: 'A repository for this project does not exist yet.',
    remedy: 'Wait until the import or fork of the project has ended, or push to it.',
  },
  git_snippet_not_found: {
    status: 404,
    message: 'The snippet you were looking for could not be found.',
    remedy: 'Check the number of the snippet, and that you may see it.',
  },
  git_second_factor_needed: {
    status: 403,
    message:
      'Your account has two-factor authentication. Use a personal access token instead of the password, or clone over SSH.',
    remedy: 'Create a personal access token with the scope `write_repository` or `read_repository`.',
  },
  git_over_http_disabled: {
    status: 403,
    message: 'Git access over HTTP is not allowed',
    remedy: 'Clone over SSH.',
  },
  git_over_ssh_disabled: {
    status: 403,
    message: 'Git access over SSH is not allowed',
    remedy: 'Clone over HTTP.',
  },
  git_too_many_attempts: {
    status: 429,
    message: 'Too many wrong passwords and tokens: try again later.',
    remedy: 'Correct the stored password of git, and wait for the seconds of `Retry-After`.',
  },
  git_account_blocked: {
    status: 403,
    message: 'Your account has been blocked.',
    remedy: 'Ask an administrator to unblock or activate the account.',
  },
  git_email_not_confirmed: {
    status: 403,
    message: 'You have to confirm your e-mail address first.',
    remedy: 'Open the link in the mail that was sent to the address.',
  },
  git_too_many_addresses: {
    status: 403,
    message: 'Your account is used from too many addresses.',
    remedy: 'Use the account from fewer addresses, or ask an administrator to raise the limit.',
  },
  git_deploy_key_without_user: {
    status: 403,
    message: 'The user who added this deploy key cannot push any more.',
    remedy: 'Another maintainer adds the key again.',
  },
  git_job_token_not_allowed: {
    status: 403,
    message: '<reason>.',
    remedy: 'A maintainer adds the project of the job to the job token allowlist.',
  },
  git_download_forbidden: {
    status: 403,
    message: 'You are not allowed to download code from this project.',
    remedy: 'Ask for the Reporter role.',
  },
  git_push_forbidden: {
    status: 403,
    message: 'You are not allowed to push code to this project.',
    remedy: 'Ask for the Developer role, or use a token with the scope `write_repository`.',
  },
  git_repository_read_only: {
    status: 403,
    message: 'This project is <reason>: its repository is read-only.',
    remedy: 'Restore or unarchive the project first.',
  },
  git_wiki_forbidden: {
    status: 403,
    message: 'You are not allowed to read this wiki.',
    remedy: 'Ask for a role that may read the wiki.',
  },
  git_wiki_push_forbidden: {
    status: 403,
    message: 'You are not allowed to write to this wiki.',
    remedy: 'Ask for the Developer role, or use a token with the scope `write_repository`.',
  },
  git_wiki_read_only: {
    status: 403,
    message: 'This project is <reason>: its wiki is read-only.',
    remedy: 'Restore or unarchive the project first.',
  },
  git_snippet_push_forbidden: {
    status: 403,
    message: 'You are not allowed to change this snippet.',
    remedy: 'Push as the author of the snippet or as a maintainer of its project.',
  },
  git_project_not_created: {
    status: 422,
    message: 'The project could not be created: <reason>',
    remedy: 'Choose another path, or create the project on its page first.',
  },
  git_client_too_old: {
    status: 403,
    message: 'Use a git client of version 1.6.6 or newer (the "smart" HTTP protocol).',
    remedy: 'Update git.',
  },
  git_encoding_not_supported: {
    status: 415,
    message: 'Content-Encoding <encoding> is not supported.',
    remedy: 'Send the request without an encoding, or with `gzip`.',
  },
  git_push_malformed: {
    status: 400,
    message: '<reason>',
    remedy: 'Update the client. If it is git, look for a proxy that changes requests.',
  },
  git_busy: {
    status: 503,
    message: '<reason>',
    remedy: 'Try again after the seconds of `Retry-After`.',
  },
  git_client_gone: {
    status: 499,
    message: 'The client closed the connection.',
    remedy: 'Nothing: only the log of the coordinator has this status.',
  },
} as const satisfies ApiErrorEntries

/** Refusals of Git LFS requests, in addition to the errors of git. */
export const LFS_ERRORS = {
  lfs_not_enabled: {
    status: 501,
    message: 'Git LFS is not enabled for this project.',
    remedy: 'A maintainer enables Git LFS in the settings of the project.',
  },
  lfs_path_not_found: {
    status: 404,
    message: 'Not Found',
    remedy: 'Update the client: the API of Git LFS has no such path.',
  },
  lfs_object_missing: {
    status: 404,
    message: 'The object does not exist in this project.',
    remedy: 'Push the objects with `git lfs push --all`, from a clone that has them.',
  },
  lfs_range_not_satisfiable: {
    status: 416,
    message: 'The object does not have the requested range.',
    remedy: 'Delete the partial download below `.git/lfs/incomplete`, and fetch again.',
  },
  lfs_not_stored: {
    status: 503,
    message: 'The object cannot be stored at this moment. Repeat the upload.',
    remedy: 'Push again.',
  },
  lfs_wrong_digest: {
    status: 422,
    message: 'The content does not have the SHA-256 of the object.',
    remedy: 'Push again. If it fails again, check the file with `git lfs fsck`.',
  },
  lfs_wrong_size: {
    status: 422,
    message: 'The content does not have <size> bytes, the size of the object.',
    remedy: 'Push again. If it fails again, check the file with `git lfs fsck`.',
  },
  lfs_batch_too_large: {
    status: 413,
    message: 'A batch may have at most <max> objects.',
    remedy: 'Update the client: Git LFS sends 100 objects in a batch.',
  },
  lfs_algorithm_not_supported: {
    status: 409,
    message: 'The hash algorithm of objects is sha256.',
    remedy: 'Use `sha256`, which is the default of Git LFS.',
  },
  lfs_request_too_large: {
    status: 413,
    message: 'The request is larger than <max> bytes.',
    remedy: 'Send fewer objects or a shorter path.',
  },
  lfs_request_malformed: {
    status: 422,
    message: 'The body is not a JSON object.',
    remedy: 'Update the client.',
  },
  lfs_request_invalid: {
    status: 422,
    message: '<problem>',
    remedy: 'Correct the fields that the message names.',
  },
  lfs_path_too_long: {
    status: 422,
    message: 'The path is longer than <max> bytes.',
    remedy: 'Move the file to a shorter path.',
  },
  lfs_already_locked: {
    status: 409,
    message: 'The file is locked by <owner>.',
    remedy: 'Ask the owner to unlock the file.',
  },
  lfs_lock_of_other_user: {
    status: 403,
    message: 'The file is locked by <owner>.',
    remedy: 'Ask the owner, or unlock it as a maintainer with `git lfs unlock --force`.',
  },
  lfs_unlock_forbidden: {
    status: 403,
    message: 'Only a maintainer may remove the lock of another user.',
    remedy: 'Ask the owner of the lock or a maintainer.',
  },
  lfs_lock_missing: {
    status: 404,
    message: 'The lock does not exist.',
    remedy: 'Nothing: the file is not locked any more.',
  },
} as const satisfies ApiErrorEntries
