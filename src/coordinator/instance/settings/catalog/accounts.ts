import { RE2JS, RE2JSException } from 're2js'

import { EFFECTIVE_DEFAULTS } from '../../../database/tables/application-settings.js'
import { type Attribute, flag, integer, secret, text, texts, word } from '../attribute.js'

/** Accounts, sign-in and sessions. */
export const accounts = {
  admin_notification_email: text('Address that gets reports of abuse.', {
    aliases: ['abuse_notification_email'],
  }),
  after_sign_out_path: text('Page that users see after they have signed out.'),
  after_sign_up_text: text('Text after the sign-up.', { fallback: EFFECTIVE_DEFAULTS.after_sign_up_text }),
  akismet_enabled: flag('Whether a service for spam is asked.', { requires: ['akismet_api_key'] }),
  akismet_api_key: secret('Key of the service for spam.'),
  allow_group_owners_to_manage_ldap: flag('Whether owners of groups manage directory groups.', {
    fallback: true,
  }),
  authorized_keys_enabled: flag('Whether keys are in a file of the SSH server.', { fallback: true }),
  can_create_group: flag('Whether new users may create groups.', {
    fallback: EFFECTIVE_DEFAULTS.can_create_group,
  }),
  default_projects_limit: integer('Number of personal projects of new users.', {
    fallback: EFFECTIVE_DEFAULTS.default_projects_limit,
  }),
  disabled_oauth_sign_in_sources: texts('Names of identity providers with which nobody signs in.', {
    fallback: EFFECTIVE_DEFAULTS.disabled_oauth_sign_in_sources,
  }),
  domain_denylist_enabled: flag('Whether addresses of some domains are refused.', {
    requires: ['domain_denylist'],
    aliases: ['domain_blacklist_enabled'],
    fallback: EFFECTIVE_DEFAULTS.domain_denylist_enabled,
  }),
  domain_denylist: texts('Domains whose addresses are refused; `*` stands for any text.', {
    aliases: ['domain_blacklist'],
    fallback: EFFECTIVE_DEFAULTS.domain_denylist,
  }),
  domain_allowlist: texts('The only domains of addresses of new users; `*` stands for any text.', {
    aliases: ['domain_whitelist'],
    fallback: EFFECTIVE_DEFAULTS.domain_allowlist,
  }),
  email_confirmation_setting: word(
    ['hard', 'soft', 'off'],
    'Whether users confirm their address before they sign in, within three days, or not at all.',
    { fallback: EFFECTIVE_DEFAULTS.email_confirmation_setting },
  ),
  enforce_terms: flag('Whether users must accept the terms to sign up and to use the pages.', {
    requires: ['terms'],
    fallback: EFFECTIVE_DEFAULTS.enforce_terms,
  }),
  external_auth_client_cert: text('Certificate for the service that authorizes users.', {
    requires: ['external_auth_client_key'],
  }),
  external_auth_client_key: secret('Key of that certificate.', {
    sentTo: 'external_authorization_service_url',
  }),
  external_auth_client_key_pass: secret('Password of that key.', {
    sentTo: 'external_authorization_service_url',
  }),
  external_authorization_service_enabled: flag('Whether another service authorizes users.', {
    requires: [
      'external_authorization_service_default_label',
      'external_authorization_service_timeout',
      'external_authorization_service_url',
    ],
  }),
  external_authorization_service_default_label: text('Label of projects without one for that service.'),
  external_authorization_service_url: text('URL of that service.'),
  gravatar_enabled: flag('Whether a service for pictures of users is asked.', { fallback: true }),
  password_authentication_enabled_for_git: flag('Whether git takes the passwords of users.', {
    fallback: EFFECTIVE_DEFAULTS.password_authentication_enabled_for_git,
  }),
  password_authentication_enabled_for_web: flag('Whether users sign in with a password.', {
    fallback: EFFECTIVE_DEFAULTS.password_authentication_enabled_for_web,
    aliases: ['signin_enabled', 'password_authentication_enabled'],
  }),
  personal_access_token_prefix: text('Prefix of new access tokens; empty = `glpat-`.', {
    check: isTokenPrefix,
  }),
  recaptcha_enabled: flag('Whether forms have a riddle for people.', {
    requires: ['recaptcha_private_key', 'recaptcha_site_key'],
  }),
  recaptcha_private_key: secret('Private key of that service.'),
  recaptcha_site_key: text('Public key of that service.'),
  require_admin_approval_after_user_signup: flag('Whether administrators approve users who have signed up.', {
    fallback: EFFECTIVE_DEFAULTS.require_admin_approval_after_user_signup,
  }),
  require_two_factor_authentication: flag('Whether all users need a second factor.', {
    requires: ['two_factor_grace_period'],
    fallback: EFFECTIVE_DEFAULTS.require_two_factor_authentication,
  }),
  send_user_confirmation_email: flag('Whether new users confirm their address.', {
    fallback: EFFECTIVE_DEFAULTS.send_user_confirmation_email,
  }),
  session_expire_delay: integer(
    'Minutes after which a session ends whose user did not choose to stay signed in.',
    {
      fallback: EFFECTIVE_DEFAULTS.session_expire_delay,
      minimum: 1,
    },
  ),
  sign_in_text: text('Text beside the form to sign in.'),
  signup_enabled: flag('Whether visitors may sign up.', { fallback: EFFECTIVE_DEFAULTS.signup_enabled }),
  terms: text('Terms of service, in Markdown.', { fallback: EFFECTIVE_DEFAULTS.terms }),
  two_factor_grace_period: integer('Hours in which a second factor may be missing.', {
    fallback: EFFECTIVE_DEFAULTS.two_factor_grace_period,
  }),
  unique_ips_limit_enabled: flag('Whether the addresses of a user are limited.', {
    requires: ['unique_ips_limit_per_user', 'unique_ips_limit_time_window'],
  }),
  unique_ips_limit_per_user: integer('Number of addresses of a user within the time window.'),
  unique_ips_limit_time_window: integer('That time window in seconds.'),
  user_default_external: flag('Whether new users are external.', {
    fallback: EFFECTIVE_DEFAULTS.user_default_external,
  }),
  user_default_internal_regex: text('Expression for addresses of users who are not external.', {
    check: isExpression,
  }),
  user_oauth_applications: flag('Whether users register applications.', {
    fallback: EFFECTIVE_DEFAULTS.user_oauth_applications,
  }),
  user_show_add_ssh_key_message: flag('Whether users without a key see a hint.', { fallback: true }),
} satisfies Record<string, Attribute>

function isTokenPrefix(value: unknown): string | undefined {
  return typeof value !== 'string' || /^[\w+=/@:.-]{0,20}$/.test(value) ? undefined : 'is invalid'
}

function isExpression(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  try {
    RE2JS.compile(value)
    return undefined
  } catch (error) {
    if (error instanceof RE2JSException) return 'not valid RE2 syntax'
    throw error
  }
}
