import { parseAllowedHost } from '../../../../egress/egress-rules.js'
import { EFFECTIVE_DEFAULTS } from '../../../database/tables/application-settings.js'
import { type Attribute, decimal, decimalText, flag, integer, secret, text, texts } from '../attribute.js'

const throttle = (whom: string, perPeriod: number) => ({
  [`throttle_${whom}_enabled`]: flag('Whether these requests are limited.', {
    requires: [`throttle_${whom}_period_in_seconds`, `throttle_${whom}_requests_per_period`],
  }),
  [`throttle_${whom}_period_in_seconds`]: integer('Length of a period in seconds.', {
    minimum: 1,
    fallback: 3600,
  }),
  [`throttle_${whom}_requests_per_period`]: integer('Requests within a period.', {
    minimum: 1,
    fallback: perPeriod,
  }),
})

/** Other services, limits of requests, and the pages. */
export const services: Record<string, Attribute> = {
  allow_local_requests_from_system_hooks: flag('Whether system hooks reach the local network.', {
    fallback: EFFECTIVE_DEFAULTS.allow_local_requests_from_system_hooks,
  }),
  allow_local_requests_from_web_hooks_and_services: flag(
    'Whether requests of users reach the local network: of webhooks, integrations, imports, mirrors, includes and shells at session servers of runners.',
    {
      aliases: ['allow_local_requests_from_hooks_and_services'],
    },
  ),
  asset_proxy_enabled: flag('Whether pictures of other sites come through a proxy.', {
    requires: ['asset_proxy_url'],
  }),
  asset_proxy_secret_key: secret('Key of that proxy.', { sentTo: 'asset_proxy_url' }),
  asset_proxy_url: text('URL of that proxy.'),
  asset_proxy_allowlist: texts('Sites without that proxy; `*` stands for any text.', {
    aliases: ['asset_proxy_whitelist'],
  }),
  check_namespace_plan: flag('Whether plans of groups matter.'),
  dns_rebinding_protection_enabled: flag('Whether addresses are looked up once per request.', {
    fallback: true,
  }),
  elasticsearch_aws: flag('Whether the search service is hosted.'),
  elasticsearch_aws_access_key: text('Name of the key of the search service.'),
  elasticsearch_aws_region: text('Region of the search service.'),
  elasticsearch_aws_secret_access_key: secret('Key of the search service.', { sentTo: 'elasticsearch_url' }),
  elasticsearch_indexing: flag('Whether texts are indexed.'),
  elasticsearch_limit_indexing: flag('Whether only some groups and projects are indexed.'),
  elasticsearch_search: flag('Whether the search service is asked.'),
  elasticsearch_url: text('URL of the search service.'),
  email_additional_text: text('Text at the end of mails.'),
  email_author_in_body: flag('Whether mails name their author in the text.'),
  external_authorization_service_timeout: decimal('Seconds to wait for the service that authorizes users.', {
    minimum: 0.001,
    maximum: 10,
  }),
  first_day_of_week: integer('0 Sunday, 1 Monday, 6 Saturday.', {
    maximum: 6,
    fallback: 0,
    check: (value) => ([0, 1, 6].includes(Number(value)) ? undefined : 'is not included in the list'),
  }),
  geo_node_allowed_ips: text('Addresses of other sites.', { fallback: '0.0.0.0/0, ::/0' }),
  geo_status_timeout: integer('Seconds to wait for other sites.', { fallback: 10 }),
  gitaly_timeout_default: integer('Seconds to wait for git; 0 = no limit.', { fallback: 55 }),
  gitaly_timeout_fast: integer('Seconds to wait for fast git operations.', { fallback: 10 }),
  gitaly_timeout_medium: integer('Seconds to wait for other git operations.', { fallback: 30 }),
  grafana_enabled: flag('Whether pages link to charts.'),
  grafana_url: text('URL of the charts.', { fallback: '/-/grafana' }),
  help_page_hide_commercial_content: flag('Whether help pages hide offers.'),
  help_page_support_url: text('URL of the support.'),
  help_page_text: text('Text of the help page.'),
  help_text: text('More text of the help page.'),
  hide_third_party_offers: flag('Whether offers of others are hidden.'),
  home_page_url: text('Page that visitors see instead of the first one.'),
  html_emails_enabled: flag('Whether mails have HTML.', {
    fallback: EFFECTIVE_DEFAULTS.html_emails_enabled,
  }),
  instance_statistics_visibility_private: flag('Whether only administrators see numbers of the instance.'),
  metrics_enabled: flag('Whether measurements are sent.', {
    requires: [
      ...['metrics_host', 'metrics_method_call_threshold', 'metrics_packet_size', 'metrics_pool_size'],
      ...['metrics_port', 'metrics_sample_interval', 'metrics_timeout'],
    ],
  }),
  metrics_host: text('Where measurements are sent.', { fallback: 'localhost' }),
  metrics_method_call_threshold: integer('Milliseconds from which a call is measured.', { fallback: 10 }),
  metrics_packet_size: integer('Measurements of one packet.', { fallback: 1 }),
  metrics_pool_size: integer('Connections for measurements.', { fallback: 16 }),
  metrics_port: integer('Port for measurements.', { fallback: 8089, maximum: 65_535 }),
  metrics_sample_interval: integer('Seconds between two measurements.', { fallback: 15 }),
  metrics_timeout: integer('Seconds to wait for the receiver of measurements.', { fallback: 10 }),
  notes_create_limit: integer('Comments of a user in a minute; 0 = any number.', {
    fallback: EFFECTIVE_DEFAULTS.notes_create_limit,
  }),
  outbound_local_requests_allowlist: texts('Local hosts and networks that requests may reach.', {
    aliases: ['outbound_local_requests_whitelist'],
    check: areHosts,
  }),
  outbound_local_requests_allowlist_raw: text('The same as one text.'),
  performance_bar_allowed_group_id: integer('Group whose members see measurements of pages.'),
  performance_bar_allowed_group_path: text('Path of that group.'),
  performance_bar_enabled: flag('Whether pages show measurements.'),
  plantuml_enabled: flag('Whether texts may contain diagrams.', { requires: ['plantuml_url'] }),
  plantuml_url: text('URL of the service for diagrams.'),
  polling_interval_multiplier: decimalText('Factor of the time between two requests of pages; 0 = none.', {
    fallback: 1,
  }),
  prometheus_metrics_enabled: flag('Whether there are metrics.', { fallback: true }),
  pseudonymizer_enabled: flag('Whether data for statistics hide names.'),
  search_rate_limit: integer('Searches of a user in a minute; 0 = any number.', {
    fallback: EFFECTIVE_DEFAULTS.search_rate_limit,
  }),
  silent_mode_enabled: flag('Whether nothing is sent to other services.'),
  slack_app_enabled: flag('Whether the chat application is offered.', {
    requires: ['slack_app_id', 'slack_app_secret', 'slack_app_verification_token'],
  }),
  slack_app_id: text('ID of the chat application.'),
  slack_app_secret: secret('Secret of the chat application.'),
  slack_app_verification_token: secret('Token of the chat application.'),
  snowplow_enabled: flag('Whether use is recorded elsewhere.', { requires: ['snowplow_collector_hostname'] }),
  snowplow_collector_hostname: text('Where use is recorded.'),
  snowplow_cookie_domain: text('Domain of the cookie for that.'),
  snowplow_site_id: text('ID of this instance there.'),
  terminal_max_session_time: integer('Longest session of a shell in a job in seconds; 0 = no limit.', {
    maximum: 2_000_000,
    fallback: EFFECTIVE_DEFAULTS.terminal_max_session_time,
  }),
  ...throttle('authenticated_api', 7200),
  ...throttle('authenticated_web', 7200),
  ...throttle('unauthenticated', 3600),
  ...throttle('unauthenticated_api', 3600),
  ...throttle('unauthenticated_web', 3600),
  time_tracking_limit_to_hours: flag('Whether times are shown in hours only.'),
  usage_ping_enabled: flag('Whether use is reported.'),
  users_get_by_id_limit: integer('Users that a user looks up in ten minutes; 0 = any number.', {
    fallback: EFFECTIVE_DEFAULTS.users_get_by_id_limit,
  }),
  version_check_enabled: flag('Whether newer versions are looked for.'),
  web_ide_clientside_preview_enabled: flag('Whether the editor shows previews.'),
}

function areHosts(value: unknown): string | undefined {
  const hosts = Array.isArray(value) ? value : []
  return hosts.every((host) => typeof host === 'string' && parseAllowedHost(host) !== undefined)
    ? undefined
    : 'must be host names, addresses and networks'
}
