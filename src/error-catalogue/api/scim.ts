import type { ApiErrorEntries } from './entry.js'

/** Errors of SCIM (RFC 7644), which identity providers show to their administrators. */
export const SCIM = {
  scim_token_invalid: {
    status: 401,
    message: 'The SCIM token is missing, or is none of this instance',
    remedy: 'Give the token as `Authorization: Bearer <token>`. An administrator can create another one.',
  },
  scim_resource_not_found: {
    status: 404,
    message: 'This identity provider manages no <resource> with the ID <id>',
    remedy: 'Search for it, or create it. An account that SCIM does not manage is not shown.',
  },
  scim_endpoint_not_found: {
    status: 404,
    message: 'SCIM has no such endpoint here',
    remedy: 'Give `/api/scim/v2/application` as the base URL. There are `/Users` and `/Groups`.',
  },
  scim_invalid_filter: {
    status: 400,
    message: 'The filter is not valid or not supported: <problem>',
    remedy: 'Compare by `eq` the attributes that docs/sign-in.md names, such as `userName eq "ada"`.',
  },
  scim_invalid_path: {
    status: 400,
    message: 'The path <path> is not valid: <problem>',
    remedy: 'Name an attribute as RFC 7644, section 3.5.2, describes it.',
  },
  scim_no_target: {
    status: 400,
    message: 'The operation <op> changes nothing: <problem>',
    remedy: 'Name an attribute, and elements that exist.',
  },
  scim_invalid_syntax: {
    status: 400,
    message: 'The request is not valid: <problem>',
    remedy: 'Send JSON as RFC 7644 describes it.',
  },
  scim_invalid_value: {
    status: 400,
    message: '<attribute> <problem>',
    remedy: 'Correct the attribute, or its mapping at the identity provider.',
  },
  scim_domain_not_allowed: {
    status: 400,
    message: 'The e-mail address <email> is of a domain that `allowed_domains` of the provider does not name',
    remedy: 'Correct the address, or add the domain to the settings of the provider.',
  },
  scim_user_exists: {
    status: 409,
    message: 'The user with this externalId is managed already, with the ID <id>',
    remedy: 'Change the user that exists.',
  },
  scim_user_name_taken: {
    status: 409,
    message: 'Another user of this identity provider has the userName <user_name>',
    remedy: 'Give another userName, or change the user that exists.',
  },
  scim_account_not_linked: {
    status: 409,
    message:
      'Another account has the e-mail address <email>, and SCIM takes over no account by its address. Link the account to the provider first, then provision the user again',
    remedy:
      'The user links the provider on the page "Sessions", or an administrator sets `provider` and `extern_uid` with `PUT /users/:id`.',
  },
  scim_managed_by_other: {
    status: 409,
    message: 'Another identity provider manages the account of this externalId',
    remedy: 'Remove the user at the other provider first.',
  },
  scim_external_id_taken: {
    status: 409,
    message: 'Another account has this externalId',
    remedy: 'Give the ID that the provider has for this user.',
  },
  scim_group_name_taken: {
    status: 409,
    message: 'Another group of this identity provider has the displayName <display_name>',
    remedy: 'Give another name, or change the group that exists.',
  },
  scim_administrator: {
    status: 403,
    message: 'The account is an administrator: SCIM changes neither its e-mail address nor its externalId',
    remedy: 'An administrator changes the account here.',
  },
  scim_last_administrator: {
    status: 403,
    message: 'The account is the only administrator, so it is not deactivated',
    remedy: 'Make another user an administrator first.',
  },
  scim_no_person: {
    status: 403,
    message: 'The identity belongs to a bot or to an internal account, which SCIM does not manage',
    remedy: 'Delete the identity of the account.',
  },
  scim_version_mismatch: {
    status: 412,
    message: 'The resource was changed since the version of `If-Match`',
    remedy: 'Read the resource again, and repeat the request.',
  },
  scim_provider_unknown: {
    status: 404,
    message: 'The settings have no identity provider with the name <provider>',
    remedy: 'Add the table `[sign_in.providers.<name>]` to the settings, and restart the coordinator.',
  },
  identity_managed_by_scim: {
    status: 409,
    message: '409 Conflict - <provider> manages your account, so it stays linked',
    remedy: 'Ask an administrator, who can delete the identity.',
  },
} as const satisfies ApiErrorEntries
