import { EFFECTIVE_DEFAULTS } from '../../../database/tables/application-settings.js'
import { type Attribute, flag, ids, integer, record, text, word, words } from '../attribute.js'

const VISIBILITIES = ['private', 'internal', 'public'] as const

const IMPORT_SOURCES = [
  ...(['github', 'bitbucket', 'bitbucket_server', 'gitlab', 'google_code', 'fogbugz', 'git'] as const),
  ...(['gitlab_project', 'gitea', 'manifest', 'phabricator'] as const),
] as [string, ...string[]]

const KEY_HELP = '0 = no restriction, -1 = none are accepted.'
const keySize = (kind: string) =>
  integer(`Minimum size of ${kind} keys in bits; ${KEY_HELP}`, { minimum: -1, fallback: 0 })

/** Projects, groups, repositories and what they contain. */
export const projects = {
  commit_email_hostname: text('Host of the addresses that hide those of users.'),
  default_branch_name: text('First branch of new projects; empty = `main`.', {
    fallback: EFFECTIVE_DEFAULTS.default_branch_name,
  }),
  default_branch_protection: integer(
    'Protection of the default branch of new projects: 0 none, 1 developers push, 2 and 4 maintainers only, 3 developers merge.',
    { maximum: 4, fallback: EFFECTIVE_DEFAULTS.default_branch_protection },
  ),
  default_branch_protection_defaults: record('The same in detail.'),
  default_group_visibility: word(VISIBILITIES, 'Visibility of new groups.', {
    fallback: EFFECTIVE_DEFAULTS.default_group_visibility,
  }),
  default_project_creation: integer(
    'Who creates projects in new groups: 0 nobody, 1 maintainers, 2 developers.',
    {
      maximum: 2,
      fallback: EFFECTIVE_DEFAULTS.default_project_creation,
    },
  ),
  default_project_visibility: word(VISIBILITIES, 'Visibility of new projects.', {
    fallback: EFFECTIVE_DEFAULTS.default_project_visibility,
  }),
  default_snippet_visibility: word(VISIBILITIES, 'Visibility of new snippets.', {
    fallback: EFFECTIVE_DEFAULTS.default_snippet_visibility,
  }),
  deletion_adjourned_period: integer('Days for which deleted projects are kept; 0 = none.', {
    maximum: 90,
    fallback: EFFECTIVE_DEFAULTS.deletion_adjourned_period,
  }),
  diff_max_patch_bytes: integer('Largest change of a file that is shown, in bytes.', { fallback: 204_800 }),
  dsa_key_restriction: keySize('DSA'),
  ecdsa_key_restriction: keySize('ECDSA'),
  ed25519_key_restriction: keySize('Ed25519'),
  enabled_git_access_protocol: text('`ssh` or `http` if git may use nothing else.'),
  file_template_project_id: integer('Project with templates of files, which everybody can read.'),
  hashed_storage_enabled: flag('Whether new repositories have paths without names.', { fallback: true }),
  housekeeping_enabled: flag('Whether repositories are repacked.', {
    fallback: true,
    requires: [
      ...['housekeeping_bitmaps_enabled', 'housekeeping_full_repack_period'],
      ...['housekeeping_gc_period', 'housekeeping_incremental_repack_period'],
    ],
  }),
  housekeeping_bitmaps_enabled: flag('Whether packs get bitmaps.', { fallback: true }),
  housekeeping_full_repack_period: integer('Pushes between two complete repacks.', { fallback: 50 }),
  housekeeping_gc_period: integer('Pushes between two collections of garbage.', { fallback: 200 }),
  housekeeping_incremental_repack_period: integer('Pushes between two repacks.', { fallback: 10 }),
  import_sources: words(IMPORT_SOURCES, 'From where users import projects.', {
    fallback: EFFECTIVE_DEFAULTS.import_sources,
  }),
  local_markdown_version: integer('Number to raise when rendered texts must be rendered again.', {
    fallback: 0,
  }),
  max_attachment_size: integer('Largest uploaded file in MB.', {
    minimum: 1,
    maximum: EFFECTIVE_DEFAULTS.max_attachment_size,
    fallback: EFFECTIVE_DEFAULTS.max_attachment_size,
  }),
  max_export_size: integer('Largest archive of an export in MB; 0 = no limit.', {
    fallback: EFFECTIVE_DEFAULTS.max_export_size,
  }),
  max_import_size: integer('Largest archive of an import in MB; 0 = no limit.', {
    fallback: EFFECTIVE_DEFAULTS.max_import_size,
  }),
  mirror_available: flag('Whether maintainers set up mirrors.', {
    fallback: EFFECTIVE_DEFAULTS.mirror_available,
  }),
  mirror_capacity_threshold: integer('Free places at which more mirrors are scheduled.', { fallback: 50 }),
  mirror_max_capacity: integer('Number of mirrors at a time.', { fallback: 100 }),
  mirror_max_delay: integer('Minutes between two updates of a mirror.', { fallback: 300 }),
  project_export_enabled: flag('Whether projects may be exported.', {
    fallback: EFFECTIVE_DEFAULTS.project_export_enabled,
  }),
  push_event_activities_limit: integer(
    'Number of branches, or tags, that a push changes alike, above which they have one activity.',
    { fallback: EFFECTIVE_DEFAULTS.push_event_activities_limit },
  ),
  push_event_hooks_limit: integer('Branches, and tags, of a push above which no webhook is sent.', {
    fallback: EFFECTIVE_DEFAULTS.push_event_hooks_limit,
  }),
  receive_max_input_size: integer('Largest push in MB; empty = no limit.'),
  repository_checks_enabled: flag('Whether repositories are checked.', { fallback: true }),
  repository_size_limit: integer('Largest repository in bytes; 0 = no limit.', { fallback: 0 }),
  repository_storages: words(['default'], 'Where repositories are.', { fallback: ['default'] }),
  restricted_visibility_levels: words(VISIBILITIES, 'Visibilities that only administrators may choose.', {
    fallback: EFFECTIVE_DEFAULTS.restricted_visibility_levels,
  }),
  rsa_key_restriction: keySize('RSA'),
  elasticsearch_namespace_ids: ids('Groups whose texts are indexed.'),
  elasticsearch_project_ids: ids('Projects whose texts are indexed.'),
} satisfies Record<string, Attribute>
