import type { ApiErrorEntries } from './entry.js'

/** Errors of webhooks and mails. */
export const INTEGRATIONS = {
  mail_not_configured: {
    status: 409,
    message: '409 Conflict - The settings of the coordinator name no mail server',
    remedy: 'Set `mail.url` in the settings of the coordinator, and restart it.',
  },
  test_mail_failed: {
    status: 502,
    message: 'The mail server has not taken the test: <reason>',
    remedy:
      'Correct `mail.url` and `mail.from` in the settings of the coordinator, or the address of the recipient.',
  },
  hook_limit_reached: {
    status: 422,
    message: 'Maximum number of <what> (<max>) exceeded',
    remedy: 'Delete a webhook that is not needed.',
  },
  hook_url_invalid: {
    status: 422,
    key: 'error',
    message: 'Invalid url given',
    remedy: 'Give an address that begins with `http://` or `https://`.',
  },
  hook_url_blocked: {
    status: 422,
    key: 'error',
    message: 'Url is blocked: <reason>',
    remedy: 'Use a public address, or ask an administrator to allow requests to the local network.',
  },
  hook_branch_filter_invalid: {
    status: 422,
    key: 'error',
    message: 'Invalid branch filter given',
    remedy: 'Give the name of a branch, in which `*` matches any text.',
  },
  hook_invalid: {
    status: 422,
    message: '<problems by field>',
    remedy: 'Correct the fields that are the keys of `message`.',
  },
  hook_test_failed: {
    status: 422,
    message: '<reason>',
    remedy:
      'Create an object of the kind that the event needs, or correct the server that receives the hook.',
  },
} as const satisfies ApiErrorEntries
