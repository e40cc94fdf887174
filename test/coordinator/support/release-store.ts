import { sql } from 'kysely'

import type { Database, DatabaseSettings } from '../../../src/coordinator/database/connect.js'
import { createReleaseSchema } from './release-schemas.js'

/** Creates the store of a release in an empty database, with rows in some tables. */
export async function makeReleaseStore(
  database: Database,
  settings: DatabaseSettings,
  release: string,
): Promise<void> {
  await createReleaseSchema(settings, release)
  await fill(database)
}

const NOW = 1_700_000_000_000

async function fill(database: Database): Promise<void> {
  for (const [table, row] of Object.entries(ROWS)) {
    const names = Object.keys(row).map((name) => sql.ref(name))
    const values = Object.values(row).map((value) => sql.val(value))
    await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})`.execute(
      database,
    )
  }
}

const ROWS: Record<string, Record<string, unknown>> = {
  user: {
    username: 'ann',
    name: 'Ann',
    email: 'ann@example.com',
    state: 'active',
    is_admin: true,
    created_at: NOW,
  },
  namespace: {
    kind: 'group',
    name: 'team',
    path: 'team',
    full_path: 'team',
    owner_id: 1,
    visibility: 'private',
    created_at: NOW,
  },
  project: {
    namespace_id: 1,
    creator_id: 1,
    name: 'app',
    path: 'app',
    full_path: 'team/app',
    visibility: 'private',
    default_branch: 'main',
    runners_token_digest: 'd',
    runners_token_encrypted: 'e',
    created_at: NOW,
    updated_at: NOW,
    last_activity_at: NOW,
  },
  member: { project_id: 1, user_id: 1, access_level: 40, created_at: NOW },
  protected_ref: {
    project_id: 1,
    kind: 'branch',
    name: 'main',
    push_access_level: 40,
    merge_access_level: 30,
    created_at: NOW,
  },
  ci_variable: {
    project_id: 1,
    key: 'A',
    value_encrypted: 'b',
    variable_type: 'env_var',
    created_at: NOW,
    updated_at: NOW,
  },
  runner: { runner_type: 'instance_type', token_digest: 'd', tag_list: '[]', created_at: NOW },
  pipeline: {
    iid: 1,
    project_id: 1,
    user_id: 1,
    ref: 'main',
    tag: false,
    sha: 'a',
    before_sha: 'b',
    source: 'push',
    status: 'success',
    protected: true,
    created_at: NOW,
    updated_at: NOW,
  },
  stage: { pipeline_id: 1, name: 'test', position: 0, status: 'success' },
  job: {
    project_id: 1,
    pipeline_id: 1,
    stage_id: 1,
    stage: 'test',
    stage_index: 0,
    name: 'unit',
    status: 'success',
    when: 'on_success',
    allow_failure: false,
    scheduling_type: 'stage',
    options: '{}',
    yaml_variables: '[]',
    tag_list: '[]',
    ref: 'main',
    tag: false,
    protected: true,
    user_id: 1,
    created_at: NOW,
    updated_at: NOW,
  },
  job_artifact: {
    project_id: 1,
    job_id: 1,
    file_type: 'archive',
    file_format: 'zip',
    filename: 'artifacts.zip',
    size: 1,
    sha256: 's',
    blob_key: 'k',
    created_at: NOW,
  },
}
