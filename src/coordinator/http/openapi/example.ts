import { type JsonSchema, nullableInner } from '../parameters/json-schema.js'

/**
 * An example record for a schema: first from the declared values, then from what fields with this format,
 * name and description usually contain. Undefined if no valid value is known.
 */
export function exampleOf(schema: JsonSchema, name = '', description = schema.description): unknown {
  const inner = nullableInner(schema)
  if (inner) return exampleOf(inner, name, description) ?? null
  const declared = [schema.default, schema.const, schema.enum?.[0]].find((value) => value !== undefined)
  if (declared !== undefined) return declared
  const [choice] = schema.anyOf ?? []
  if (choice) return exampleOf(choice, name, description)
  switch (schema.type) {
    case 'object':
      return exampleOfObject(schema)
    case 'array':
      return exampleOfList(schema, name)
    case 'string':
      return exampleOfText(schema, name, description)
    case 'integer':
    case 'number':
      return exampleOfNumber(schema, NUMBERS[name] ?? 1)
    case 'boolean':
      return !FALSE_FLAGS.test(name)
    default:
      return null
  }
}

function exampleOfObject({ properties = {}, patternProperties = {} }: JsonSchema): Record<string, unknown> {
  const fields = Object.entries(properties).map(([name, field]) => {
    const example = exampleOf(field, name)
    return [name, example === undefined ? exampleText(field, name) : example] as const
  })
  const named = Object.values(patternProperties).map((field) => ['key', exampleOf(field)] as const)
  return Object.fromEntries([...fields, ...named].filter(([, example]) => example !== undefined))
}

/** The example of a text without further information is the name of the field. */
function exampleText({ type, format, pattern }: JsonSchema, name: string): string | undefined {
  return type === 'string' && !format && !pattern ? name.replaceAll('_', ' ') : undefined
}

function exampleOfList({ items = {}, minItems = 1 }: JsonSchema, name: string): unknown[] {
  const example = exampleOf(items, name.replace(/(?<=x)es$|s$/, ''))
  return example === undefined ? [] : Array<unknown>(Math.max(minItems, 1)).fill(example)
}

function exampleOfText(
  { format, pattern, minLength = 0, maxLength = Infinity }: JsonSchema,
  name: string,
  description = '',
): string | undefined {
  const text =
    FORMATS[format ?? ''] ??
    wordIn(description) ??
    TEXTS[name] ??
    BY_ENDING.find(([end]) => end.test(name))?.[1]
  if (text === undefined) return undefined
  const isRight = text.length >= minLength && text.length <= maxLength
  return isRight && (pattern === undefined || new RegExp(pattern, 'u').test(text)) ? text : undefined
}

function exampleOfNumber(
  { type, minimum = -Infinity, maximum = Infinity }: JsonSchema,
  usual: number,
): number {
  const number = Math.max(minimum, Math.min(maximum, usual))
  return type === 'integer' ? Math.round(number) : number
}

const SHA = '6104942438c14ec7bd21c6cd5bd995272b3faff6'
const DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The first value that a description lists, or the only one that it allows. */
function wordIn(description: string): string | undefined {
  const found = WORDS.map((form) => form.exec(description)).find((match) => match !== null)
  return found?.[1]
}

const WORDS = [/`([a-z_]+)`(?:, | or )`[a-z_.]+`/, /^Always `(\w+)`/, /^`(\w+)`\.$/]

const FORMATS: Record<string, string | undefined> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  date: '2026-01-15',
}

const TEXTS: Record<string, string | undefined> = {
  id: SHA,
  sha: SHA,
  before_sha: SHA,
  commit_id: SHA,
  parent_id: SHA,
  short_id: SHA.slice(0, 8),
  username: 'jane',
  name: 'Example',
  name_with_namespace: 'Team / Example',
  title: 'Build the example',
  path: 'example',
  full_path: 'team/example',
  path_with_namespace: 'team/example',
  file_path: 'src/main.c',
  description: 'An example',
  message: 'Build the example',
  bio: 'Builds things',
  location: 'Oslo',
  ref: 'main',
  branch: 'main',
  default_branch: 'main',
  tag_name: 'v1.0.0',
  tag: 'docker',
  version: '1.0.0',
  key: 'DEPLOY_TARGET',
  value: 'staging',
  cron: '0 4 * * *',
  cron_timezone: 'UTC',
  stage: 'test',
  ip_address: '192.0.2.10',
  system_id: 's_c2d22f638c25',
  architecture: 'amd64',
  platform: 'linux',
  author_name: 'Jane',
  committer_name: 'Jane',
  filename: 'artifacts.zip',
  token: 'a-secret-shown-once',
  environment_scope: '*',
  ci_config_path: '.gitlab-ci.yml',
  status: 'success',
  state: 'active',
  source: 'push',
  slug: 'example',
  reason: 'no_runner',
  failure_reason: 'script_failure',
  type: 'local',
  link_type: 'other',
  revision: SHA.slice(0, 8),
  target: SHA,
  blob_id: SHA,
  last_commit_id: SHA,
  mode: '100644',
  old_path: 'src/main.c',
  new_path: 'src/main.c',
  a_mode: '100644',
  b_mode: '100644',
  diff: '@@ -1 +1 @@\n-old\n+new\n',
  line: 'int main(void) {',
  content: 'aW50IG1haW4odm9pZCkgewo=',
  content_sha256: DIGEST,
  checksum: DIGEST,
  checksum_algorithm: 'sha256',
  dry_run: 'success',
  fingerprint: 'b8:6d:58:0f:2c:11:40:7e:1f:a0:9b:2d:3c:64:e7:55',
  note: 'Well done',
  fingerprint_sha256: 'SHA256:AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
  text: 'Passed',
  label: 'passed',
  group: 'success',
  tooltip: 'passed',
  icon: 'status_success',
  favicon: '/assets/favicon.png',
  scope: 'api',
  topic: 'tools',
  tag_list: 'docker',
  missing_tag: 'docker',
  milestone: 'Next',
  entity_type: 'Project',
  author_username: 'jane',
  provider: 'ldap',
  extern_uid: 'uid=jane',
  suggest: 'example1',
  project_creation_level: 'developer',
  subgroup_creation_level: 'maintainer',
  group_full_path: 'team',
  project_full_path: 'team/example',
  runners_token: 'a-secret-for-runners',
  repository_storage: 'default',
  access_level_description: 'Maintainers',
  ci_pipeline_variables_minimum_override_role: 'developer',
  auto_devops_deploy_strategy: 'continuous',
  alt: 'plan',
  markdown: '![plan](/uploads/0123/plan.png)',
  message_html: 'Building',
  description_html: 'An example',
  classname: 'Addition',
  tag_message: 'First',
  before_script: 'npm ci',
  script: 'npm test',
  after_script: 'npm run clean',
  command: 'serve',
  when: 'on_success',
  trigger: 'push_hooks',
  response_status: '200',
  job_execution_status: 'idle',
  auto_stop_setting: 'always',
  refspec: '+refs/heads/*:refs/remotes/origin/*',
  filepath: '/example.zip',
  entrypoint: '/bin/sh',
  pull_policy: 'if-not-present',
  exclude: 'dist/**/*.map',
  artifact_type: 'archive',
  fallback_key: 'main',
  password: 'a-secret',
  token_mask_prefix: 'glpat-',
  default: 'staging',
  project_jobs_running_on_instance_runners_count: '+Inf',
  exception_message: 'Name is taken',
}

const BY_ENDING: [RegExp, string][] = [
  [/(^|_)email$/, 'jane@switchyard.example'],
  [/^http_url_to_repo$/, 'https://switchyard.example/team/example.git'],
  [/(^|_)ur[li]$|^(self|repo_branches|labels|events|members)$/, 'https://switchyard.example/team/example'],
  [/_(at|before|after|date)$/, '2026-01-15T09:30:00.000Z'],
  [/_path$/, '/team/example'],
  [/(^|_)ip$/, '192.0.2.10'],
  [/_sha$/, SHA],
  [/(^|_)name$/, 'example'],
]

const NUMBERS: Record<string, number | undefined> = {
  id: 7,
  iid: 3,
  project_id: 7,
  group_id: 4,
  user_id: 5,
  pipeline_id: 12,
  job_id: 42,
  size: 1024,
  access_level: 30,
  group_access: 30,
  group_access_level: 30,
  duration: 42.5,
  coverage: 87.5,
  build_timeout: 3600,
  timeout: 3600,
  port: 22,
}

const FALSE_FLAGS = /^(archived|blocked|external|is_admin|locked|bot|masked|mirror|paused|empty_repo|trial)$/
