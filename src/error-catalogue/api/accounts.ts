import type { ApiErrorEntries } from './entry.js'

/** Errors of users, groups, members, tokens and applications. */
export const ACCOUNTS = {
  email_taken: {
    status: 409,
    message: 'Email has already been taken',
    remedy: 'Give another address, or use the account that has it.',
  },
  username_taken: {
    status: 409,
    message: 'Username has already been taken',
    remedy: 'Choose another name: users and groups share their names.',
  },
  changed_email_taken: {
    status: 404,
    message: 'Email has already been taken',
    remedy: 'Give another address, or use the account that has it.',
  },
  changed_username_taken: {
    status: 404,
    message: 'Username has already been taken',
    remedy: 'Choose another name: users and groups share their names.',
  },
  follows_itself: {
    status: 400,
    message: '400 Bad request - You cannot follow yourself',
    remedy: 'Follow another user.',
  },
  two_factor_not_enabled: {
    status: 400,
    message: '400 Bad request - Two-factor authentication is not enabled for this user',
    remedy: 'Nothing: there is no second factor.',
  },
  totp_exists: {
    status: 409,
    message: '409 Conflict - The account has an authenticator app already',
    remedy: 'Remove the app first to set up another one.',
  },
  totp_not_started: {
    status: 409,
    message: '409 Conflict - There is no authenticator app to set up',
    remedy: 'Begin again: the app was set up or replaced in another window.',
  },
  passkey_exists: {
    status: 409,
    message: '409 Conflict - The passkey is registered already',
    remedy: 'Use the passkey, or another device.',
  },
  passkeys_unavailable: {
    status: 400,
    message: '400 Bad request - Browsers offer no passkeys at the address of this instance',
    remedy: 'An administrator sets `external_url` to an address with a name that begins with `https:`.',
  },
  user_cannot_sign_in: {
    status: 400,
    message: '400 Bad request - Only active users who are people can sign in',
    remedy: 'Activate the user first. Bots use tokens.',
  },
  last_sign_in_method: {
    status: 409,
    message: '409 Conflict - It is the last way in which you can sign in',
    remedy: 'Set a password, or link your account to another provider first.',
  },
  last_administrator: {
    status: 409,
    message: 'User cannot be removed while is the only administrator',
    remedy: 'Make another user an administrator first.',
  },
  sole_group_owner: {
    status: 409,
    message: 'User cannot be removed while is the sole-owner of a group',
    remedy: 'Add another owner to the groups of the user, or delete with `hard_delete`.',
  },
  no_pending_request: {
    status: 409,
    message: 'User does not have a pending request',
    remedy: 'Reject only users with the state `blocked_pending_approval`.',
  },
  approval_not_pending: {
    status: 409,
    message: 'The user you are trying to approve is not pending approval',
    remedy: 'Approve only users with the state `blocked_pending_approval`.',
  },
  user_state_changed: {
    status: 409,
    message: 'The state of the user was changed by another request',
    remedy: 'Read the user again, and repeat the request if it still applies.',
  },
  own_account_not_blockable: {
    status: 403,
    message: '403 Forbidden - The API initiating user cannot be blocked by the API',
    remedy: 'Ask another administrator.',
  },
  directory_user_not_changeable: {
    status: 403,
    message: '403 Forbidden - LDAP blocked users cannot be modified by the API',
    remedy:
      'Enable the user in the directory, or delete the identity there from the account. The user is unblocked within an hour.',
  },
  internal_user_not_blockable: {
    status: 403,
    message: '403 Forbidden - An internal user cannot be blocked',
    remedy: 'Nothing: nobody can sign in as this user.',
  },
  internal_user_not_deactivatable: {
    status: 403,
    message: '403 Forbidden - An internal user cannot be deactivated by the API',
    remedy: 'Nothing: nobody can sign in as this user.',
  },
  internal_user_not_removable: {
    status: 403,
    message: '403 Forbidden - An internal user cannot be removed',
    remedy: 'Nothing: deleted users leave their comments to this user.',
  },
  banned_user_not_blockable: {
    status: 403,
    message: '403 Forbidden - A banned user must be unbanned to be blocked',
    remedy: 'Unban the user first.',
  },
  deactivated_user_not_unblockable: {
    status: 403,
    message: '403 Forbidden - Deactivated users cannot be unblocked by the API',
    remedy: 'Activate the user.',
  },
  banned_user_not_unblockable: {
    status: 403,
    message: '403 Forbidden - Banned users cannot be unblocked by the API',
    remedy: 'Unban the user.',
  },
  pending_user_not_unblockable: {
    status: 403,
    message: '403 Forbidden - Users who wait for approval cannot be unblocked by the API',
    remedy: 'Approve or reject the user.',
  },
  blocked_user_not_activatable: {
    status: 403,
    message: '403 Forbidden - A blocked user must be unblocked to be activated',
    remedy: 'Unblock the user first.',
  },
  blocked_user_not_deactivatable: {
    status: 403,
    message: '403 Forbidden - A blocked user cannot be deactivated by the API',
    remedy: 'Unblock the user first.',
  },
  user_recently_active: {
    status: 403,
    message:
      '403 Forbidden - The user you are trying to deactivate has been active in the past <days> days and cannot be deactivated',
    remedy: 'Block the user instead.',
  },
  user_not_bannable: {
    status: 403,
    message: '403 Forbidden - You cannot ban <state> users.',
    remedy: 'Ban only active users, and neither yourself nor the ghost user.',
  },
  user_not_unbannable: {
    status: 403,
    message: '403 Forbidden - You cannot unban <state> users.',
    remedy: 'Unban only users with the state `banned`.',
  },
  ssh_fingerprint_invalid: {
    status: 400,
    message: '400 Bad request - Failed to return the key',
    remedy: 'Send `fingerprint` as `SHA256:…` or as 16 bytes in hexadecimal with colons.',
  },
  token_not_revocable: {
    status: 400,
    message: '400 Bad request - Not permitted to revoke',
    remedy: 'Revoke your own tokens, or ask an administrator.',
  },
  token_already_revoked: {
    status: 400,
    message: '400 Bad request - The token was already revoked',
    remedy: 'Nothing: the token is without effect.',
  },
  token_access_too_high: {
    status: 400,
    message: '400 Bad request - Could not provision more access than your own',
    remedy: 'Choose your own access level, or a lower one.',
  },
  token_of_bot: {
    status: 403,
    message: '403 Forbidden - A project or group access token cannot create another one',
    remedy: 'Create the token as a user.',
  },
  member_exists: {
    status: 409,
    message: 'Member already exists',
    remedy: 'Change the access level of the member with PUT.',
  },
  namespace_owner_not_removable: {
    status: 403,
    message: '403 Forbidden - The owner of the namespace cannot be removed',
    remedy: 'Transfer the project to a group first.',
  },
  invitation_exists: {
    status: 409,
    message: 'Invite email has already been taken',
    remedy: 'Change the invitation that exists.',
  },
  group_not_saved: {
    status: 400,
    message: 'Failed to save group {:<field>=>[<problem>]}',
    remedy: 'Correct the field that the message names.',
  },
  group_transfer_failed: {
    status: 400,
    message: 'Transfer failed: <reason>',
    remedy: 'Choose another parent group, or change path or visibility first.',
  },
  group_sharing_disabled: {
    status: 400,
    message: '400 Bad request - The project sharing with group is disabled',
    remedy: 'Turn off `share_with_group_lock` of the group.',
  },
  group_shared_with_itself: {
    status: 400,
    message: '400 Bad request - A group cannot be shared with itself',
    remedy: 'Name another group.',
  },
  already_shared: {
    status: 409,
    message: '<thing> is already shared with this group',
    remedy: 'Delete the share first to change its access level.',
  },
  applications_not_allowed: {
    status: 403,
    message: '403 Forbidden - This instance does not let users register applications',
    remedy: 'Ask an administrator to register the application.',
  },
  application_limit_reached: {
    status: 403,
    message: '403 Forbidden - Users may have at most <max> applications',
    remedy: 'Delete an application that is not used.',
  },
  dynamic_registration_disabled: {
    status: 403,
    message: 'Applications must be registered by an administrator.',
    remedy: 'Ask an administrator to register the application, or to allow users to do so.',
  },
  dynamic_registration_limit: {
    status: 503,
    message: 'Too many applications have registered themselves. Try later.',
    remedy: 'Try later. An administrator can delete applications that are not used.',
  },
  invalid_redirect_uri: {
    status: 400,
    message: '<reason>',
    remedy: 'Correct `redirect_uris`.',
  },
  invalid_client_metadata: {
    status: 400,
    message: '<reason>',
    remedy: 'Correct the field that the message names.',
  },
  token_of_other_client: {
    status: 403,
    message: 'You are not authorized to revoke this token',
    remedy: 'Revoke the token as the application that it was issued to.',
  },
} as const satisfies ApiErrorEntries
