/** The columns of a table that hold the key of a blob. */
export interface KeyColumn {
  table:
    | 'job_artifact'
    | 'test_report'
    | 'secure_file'
    | 'cache_archive'
    | 'stored_log'
    | 'user_profile'
    | 'namespace'
    | 'project'
    | 'project_import'
    | 'project_export'
    | 'topic'
    | 'site_deployment'
  /** Its IDs are unique. */
  id: 'id' | 'job_id' | 'user_id'
  column: 'blob_key' | 'times_key' | 'avatar_key' | 'archive_key'
  /** The keys in the column. The group is the value of the column `owner`, which has an index. */
  keys: RegExp
  owner: 'id' | 'job_id' | 'project_id' | 'user_id'
}

const OF_JOB = /^artifacts\/\d+\/(\d+)\/[^/]+$/
const OF_LOG = /^traces\/\d+\/(\d+)\/[^/]+$/

/**
 * Every column with the key of a blob; a test compares the list with the schema. A blob whose key has the form of a column
 * and that no row names is deleted after a day: so a column that may contain keys of such a form must be in this list.
 */
export const KEY_COLUMNS: readonly KeyColumn[] = [
  { table: 'job_artifact', id: 'id', column: 'blob_key', keys: OF_JOB, owner: 'job_id' },
  { table: 'test_report', id: 'job_id', column: 'blob_key', keys: OF_JOB, owner: 'job_id' },
  {
    table: 'secure_file',
    id: 'id',
    column: 'blob_key',
    keys: /^projects\/(\d+)\/secure-files\/[^/]+$/,
    owner: 'project_id',
  },
  {
    table: 'cache_archive',
    id: 'id',
    column: 'blob_key',
    keys: /^caches\/(\d+)\/[^/]+$/,
    owner: 'project_id',
  },
  { table: 'stored_log', id: 'job_id', column: 'blob_key', keys: OF_LOG, owner: 'job_id' },
  { table: 'stored_log', id: 'job_id', column: 'times_key', keys: OF_LOG, owner: 'job_id' },
  {
    table: 'user_profile',
    id: 'user_id',
    column: 'avatar_key',
    keys: /^users\/(\d+)\/avatar\/[^/]+$/,
    owner: 'user_id',
  },
  {
    table: 'namespace',
    id: 'id',
    column: 'avatar_key',
    keys: /^groups\/(\d+)\/avatar\/[^/]+$/,
    owner: 'id',
  },
  {
    table: 'project',
    id: 'id',
    column: 'avatar_key',
    keys: /^projects\/(\d+)\/avatar\/[^/]+$/,
    owner: 'id',
  },
  {
    table: 'project_import',
    id: 'id',
    column: 'archive_key',
    keys: /^projects\/(\d+)\/imports\/[^/]+$/,
    owner: 'project_id',
  },
  {
    table: 'project_export',
    id: 'id',
    column: 'blob_key',
    keys: /^projects\/(\d+)\/exports\/[^/]+$/,
    owner: 'project_id',
  },
  {
    table: 'site_deployment',
    id: 'id',
    column: 'blob_key',
    keys: /^projects\/(\d+)\/sites\/[^/]+$/,
    owner: 'project_id',
  },
  {
    table: 'topic',
    id: 'id',
    column: 'avatar_key',
    keys: /^topics\/(\d+)\/avatar\/[^/]+$/,
    owner: 'id',
  },
]
